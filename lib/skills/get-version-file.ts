import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { requireVersion } from "./version-access";

export type StoredFile = {
  path: string;
  mode: string;
  sha256: string;
  isText: boolean;
  bytes: Uint8Array<ArrayBuffer>;
};

/** The stored bytes of one file of a version, checked against their hash. */
export async function getVersionFile(ctx: Ctx, idOrName: string, digest: string, path: string): Promise<StoredFile> {
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const file = version.files.find((candidate) => candidate.path === path);
  if (!file)
    throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} of “${skill.name}” has no file ${path}.`);
  const { path: filePath, mode, sha256, isText } = file;
  return { path: filePath, mode, sha256, isText, bytes: await readBlob(ctx, sha256) };
}

/** The bytes of a blob. Throws `internal` when storage gives back other bytes than were stored. */
export async function readBlob(ctx: Ctx, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await ctx.db.blob.findUniqueOrThrow({ where: { sha256 } });
  if (sha256Hex(blob.bytes) !== sha256)
    throw new AppError("internal", `Stored bytes of ${sha256.slice(0, 7)} were changed.`);
  return new Uint8Array(blob.bytes);
}
