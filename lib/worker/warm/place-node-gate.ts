import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkDir } from "../prepare-work-dir";
import { NODE_GATE } from "./node-gate";

/** Writes what node waits in beside the skills, where every run's user id can reach it; answers its path. */
export function placeNodeGate({ skillsDir }: WorkDir): string {
  const path = join(skillsDir, "gate.cjs");
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, NODE_GATE, { mode: 0o444 });
  return path;
}
