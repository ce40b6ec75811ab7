import { MAX_AGENT_TEXT_BYTES } from "./archive/limits";
import { isSkillMarker } from "./archive/split-skills";
import { isScript } from "./executables";

type StoredFile = { path: string; mode: string; size: number; isText: boolean };

/** Whether agents may read a file: text up to 256 KiB, and scripts only if granted. `size` in bytes. */
export function isAgentFile(file: StoredFile, { mayScripts }: { mayScripts: boolean }): boolean {
  if (!file.isText || file.size > MAX_AGENT_TEXT_BYTES) return false;
  return mayScripts || !isScript(file) || isSkillMarker(file.path);
}
