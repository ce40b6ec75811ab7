import { sha256Hex } from "@/lib/core/hash";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

/** The files with the SHA-256 of each. Lets the event loop turn, since a skill may have 50 MiB. */
export async function hashFiles(files: readonly SkillFile[]): Promise<(SkillFile & { sha256: string })[]> {
  const hashed: (SkillFile & { sha256: string })[] = [];
  for (const file of files) {
    await loopTurn();
    hashed.push({ ...file, sha256: sha256Hex(file.bytes) });
  }
  return hashed;
}
