import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { RunFailure } from "@/lib/worker/launch/run-failure";
import type { Lease } from "@/lib/worker/protocol";
import { resolveSkillPath } from "./resolve-skill-path";

const BYTES_PER_TURN = 1024 * 1024;

/**
 * Writes a skill's files into its empty directory, read-only, executable where the version says so. Synchronous file
 * calls, because for the few small files of a skill they cost a tenth; other runs get a turn after each MiB.
 */
export async function placeSkill(
  files: Lease["files"],
  skillDir: string,
  loadBlob: (file: Lease["files"][number]) => Promise<Uint8Array>,
): Promise<void> {
  const dirs = new Set<string>();
  let written = 0;
  for (const file of files) {
    const target = resolveSkillPath(skillDir, file.path);
    if (target === null) {
      throw new RunFailure(
        "digest_mismatch",
        `The path ${JSON.stringify(file.path)} is not inside the skill's directory.`,
      );
    }
    const bytes = await loadBlob(file);
    mkdirSync(dirname(target), { recursive: true });
    for (let dir = dirname(target); dir.length > skillDir.length; dir = dirname(dir)) dirs.add(dir);
    writeFileSync(target, bytes, { flag: "wx" });
    chmodSync(target, file.mode === "755" ? 0o555 : 0o444);
    written += bytes.length;
    if (written > BYTES_PER_TURN) {
      written = 0;
      await turn();
    }
  }
  for (const dir of [...dirs, skillDir]) chmodSync(dir, 0o555);
}
