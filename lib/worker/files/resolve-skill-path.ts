import { join } from "node:path";

/** The absolute path of a skill's file; null when the path is not plainly inside the skill's directory. */
export function resolveSkillPath(skillDir: string, path: string): string | null {
  const segments = path.split("/");
  const isPlain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return isPlain && !path.includes("\0") ? join(skillDir, path) : null;
}
