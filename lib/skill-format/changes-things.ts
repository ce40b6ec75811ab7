import { parseToolPattern } from "./dialects/allowed-tools";
import { findTool } from "./dialects/tool-aliases";

const CHANGING = new Set(["run_command", "write_file", "edit_file", "edit_notebook"]);

/** Whether a pattern of `allowed-tools` lets an agent run commands or write, in the words of any agent. */
export function changesThings(pattern: string): boolean {
  const { tool } = parseToolPattern(pattern);
  return tool === "*" || CHANGING.has(findTool(tool)?.id ?? "");
}
