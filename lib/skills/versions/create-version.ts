import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { requireManagedSkill } from "@/lib/skills/skill-access";
import { unusableUpload } from "@/lib/skills/transfer/read-upload";
import { acceptableFiles, sentBytes } from "./files-from-input";
import { getVersion } from "./get-version";
import { readBlob } from "./read-blob";
import type { CreateVersionInput, Version, VersionFileInput } from "./schema";
import { storeVersion } from "./store-version";

/**
 * Saves an edit as a draft version. `conflict` when the newest version is not the base of the edit, and when the bytes
 * are those of an approved, inactive version, which can be activated instead.
 */
export async function createVersion(ctx: Ctx, idOrName: string, input: CreateVersionInput): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  const stored = await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const newest = await tx.version.findFirst({ where: { skillId: skill.id }, orderBy: { number: "desc" } });
    if (newest && newest.digest !== input.baseDigest) {
      throw new AppError(
        "conflict",
        `${newest.createdByName} saved version ${newest.number} (${newest.digest.slice(0, 7)}) after you began to edit.`,
      );
    }
    const files = await readEditedFiles(txCtx, skill.id, input.files);
    const read = { folder: skill.slug, files, ...readSkill(files, { folder: skill.slug }) };
    const isRenamed = read.manifest.slug !== skill.slug;
    if (isRenamed) {
      const message = `The files name the skill “${read.manifest.name}”; a version keeps the name “${skill.name}”.`;
      read.diagnostics.push({ code: "name_changed", severity: "error", message });
    }
    if (read.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
      throw unusableUpload({ usable: [], refused: [read], diagnostics: [] });
    }
    const saved = await storeVersion(tx, txCtx, actor, {
      read,
      ownerKey: skill.ownerKey,
      source: "authored",
      state: "draft",
      provenance: { base: input.baseDigest },
    });
    if (saved.hint !== null)
      throw new AppError("conflict", `No version was saved: an earlier version has the same files. ${saved.hint}`);
    return saved;
  });
  return getVersion(ctx, stored.skillId, stored.digest);
}

/** Reads the files of an edit. `invalid` for a hash from another skill, whose content it must not reveal. */
async function readEditedFiles(ctx: Ctx, skillId: string, inputs: VersionFileInput[]): Promise<SkillFile[]> {
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
  const message = `No version of this skill has the file ${sha256.slice(0, 7)}, which ${path} refers to. Send its content.`;
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}
