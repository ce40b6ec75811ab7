import { copyFileSync, linkSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isReachable } from "@/lib/worker/files/find-skills-dir";
import type { WorkDir } from "@/lib/worker/files/prepare-work-dir";

/**
 * Where runs find the Node that this worker runs on: where it is, unless the user id of a run could not get there (below
 * /root, say). Then a link or a copy of it beside the skills. The worker's next start removes that one and makes another.
 */
export function placeNode({ skillsDir }: Pick<WorkDir, "skillsDir">, program = process.execPath): string {
  const path = realpathSync(program);
  if (process.getuid?.() !== 0 || isReachable(dirname(path))) return path;
  const placed = join(skillsDir, "node");
  rmSync(placed, { recursive: true, force: true });
  try {
    linkSync(path, placed);
  } catch {
    // Another file system.
    copyFileSync(path, placed);
  }
  return placed;
}
