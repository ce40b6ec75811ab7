import { MAX_AGENT_TEXT_BYTES } from "./archive/limits";
import { isSkillMarker } from "./archive/split-skills";
import { isScript } from "./executables";

type StoredFile = { path: string; mode: string; size: number; isText: boolean };

/**
 * Whether an agent may read a file of an approved version: text up to 256 KiB, and no script that its reviewer has not granted.
 * Every list of files for agents asks this, so that what is listed can be read. `size` in bytes.
 */
export function isAgentFile(file: StoredFile, { mayScripts }: { mayScripts: boolean }): boolean {
  if (!file.isText || file.size > MAX_AGENT_TEXT_BYTES) return false;
  return mayScripts || !isScript(file) || isSkillMarker(file.path);
}
