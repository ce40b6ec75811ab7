import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { FileMode } from "@/lib/skill-format/schema";
import { RunFailure } from "@/lib/worker/launch/run-failure";

type PlacedFile = { path: string; mode: FileMode; sha256: string };

/**
 * Reads back what is on disk and compares its digest with the approved version's: what runs is what was approved, however
 * it got there. Throws RunFailure `digest_mismatch`.
 */
export function verifySkill(skillDir: string, versionDigest: string): void {
  const digest = digestFiles(listFiles(skillDir, ""));
  if (digest === versionDigest) return;
  throw new RunFailure(
    "digest_mismatch",
    `The skill's files have the digest ${digest}, the approved version has ${versionDigest}.`,
  );
}

function listFiles(skillDir: string, inside: string): PlacedFile[] {
  return readdirSync(join(skillDir, inside), { withFileTypes: true }).flatMap((entry): PlacedFile[] => {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(skillDir, path);
    if (!entry.isFile()) throw new RunFailure("digest_mismatch", `${JSON.stringify(path)} is not a regular file.`);
    const file = join(skillDir, path);
    const mode = statSync(file).mode & 0o111 ? "755" : "644";
    return [{ path, mode, sha256: sha256Hex(readFileSync(file)) }];
  });
}
