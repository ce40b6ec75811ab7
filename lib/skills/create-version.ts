import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { readSkill } from "@/lib/skill-format/read-skill";
import { getVersion } from "./get-version";
import { readEditedFiles } from "./read-edited-files";
import { unusableUpload } from "./read-upload";
import type { CreateVersionInput, Version } from "./schema";
import { requireManagedSkill } from "./skill-access";
import { storeVersion } from "./store-version";

/**
 * Saves an edit as a draft version. `conflict` when the newest version is not the one the edit started from, and when the bytes
 * are those of an approved version that is not active: that one is made active instead.
 */
export async function createVersion(ctx: Ctx, idOrName: string, input: CreateVersionInput): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  const stored = await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const newest = await tx.version.findFirst({ where: { skillId: skill.id }, orderBy: { number: "desc" } });
    if (newest && newest.digest !== input.baseDigest) {
      throw new AppError(
        "conflict",
        `Version ${newest.number} (${newest.digest.slice(0, 7)}) was saved by ${newest.createdByName} after you began.`,
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
      throw new AppError("conflict", `No version was saved: these bytes are known. ${saved.hint}`);
    return saved;
  });
  return getVersion(ctx, stored.skillId, stored.digest);
}
