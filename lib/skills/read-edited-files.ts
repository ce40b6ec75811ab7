import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { acceptableFiles, sentBytes } from "./files-from-input";
import { readBlob } from "./read-blob";
import type { VersionFileInput } from "./schema";

/**
 * The files of an edit, with the bytes of those that are only named by their hash. `invalid` for a hash that no version of
 * this skill has: a hash must not open what belongs to another skill.
 */
export async function readEditedFiles(ctx: Ctx, skillId: string, inputs: VersionFileInput[]): Promise<SkillFile[]> {
  const named = [...new Set(inputs.flatMap(({ sha256 }) => sha256 ?? []))];
  const rows = await ctx.db.versionFile.findMany({
    where: { sha256: { in: named }, version: { skillId } },
    select: { sha256: true, path: true, versionId: true },
    distinct: ["sha256"],
  });
  const stored = new Map<string, Uint8Array>();
  for (const row of rows) stored.set(row.sha256, await readBlob(ctx, row));
  const files = inputs.map(({ path, text, base64, sha256, mode }) => ({
    path,
    mode: mode ?? ("644" as const),
    bytes: sha256 === undefined ? sentBytes(text, base64) : keptBytes(path, sha256, stored),
  }));
  return acceptableFiles(files);
}

function keptBytes(path: string, sha256: string, stored: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const bytes = stored.get(sha256);
  if (bytes) return bytes;
  const message = `${path} names the bytes ${sha256.slice(0, 7)}, which no version of this skill has.`;
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}
