import { isText } from "@/lib/skill-format/archive/is-text";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/archive/limits";

/**
 * Whether an agent may read a file of a skill as text. Larger files and binaries are kept, exported and listed like all
 * others; they are only withheld from text reads, which would fill a model's context.
 */
export function isAgentText(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_AGENT_TEXT_BYTES && isText(bytes);
}
