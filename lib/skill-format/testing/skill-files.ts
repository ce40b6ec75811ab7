import type { SkillFile } from "../archive/skill-file";

/** Files by path; a trailing `*` marks an executable file. */
export function skillFiles(contents: Record<string, string | Uint8Array>): SkillFile[] {
  return Object.entries(contents).map(([name, content]) => ({
    path: name.replace(/\*$/, ""),
    mode: name.endsWith("*") ? "755" : "644",
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
  }));
}
