import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { programsNamed, reportFit } from "@/lib/skill-format/report-fit";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { assertImportQuota } from "./assert-import-quota";
import { hostFacts } from "./host-facts";
import { presentSkills } from "./present-skill";
import { allDiagnostics, readUpload, type Upload, unusableUpload } from "./read-upload";
import type { ImportAnswer } from "./schema";
import { requireOwnerKey, requireSkill } from "./skill-access";
import { storeVersion } from "./store-version";

/**
 * Imports every usable skill of an upload in one transaction, each as a pending version. Rejects the upload as a whole
 * when the archive is hostile or nothing in it is usable; skills that are refused beside usable ones are diagnostics.
 */
export async function importSkills(ctx: Ctx, input: Upload & { owner: "me" | "org" }): Promise<ImportAnswer> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner);
  await assertImportQuota(ctx, actor.userId);
  const read = await readUpload(input);
  if (read.usable.length === 0) throw unusableUpload(read);
  const host = await hostFacts(
    ctx,
    read.usable.flatMap(({ manifest }) => programsNamed(manifest)),
  );
  const { ids, known } = await inTransaction(ctx, async (tx, txCtx) => {
    const ids: string[] = [];
    const known: Diagnostic[] = [];
    for (const skill of read.usable) {
      const report = reportFit(skill.manifest, host);
      const provenance = { file: input.filename, folder: skill.folder, at: ctx.now().toISOString(), report };
      const { skillId, hint } = await storeVersion(tx, txCtx, actor, {
        read: skill,
        ownerKey,
        source: "imported",
        state: "pending",
        provenance,
      });
      ids.push(skillId);
      const path = read.usable.length > 1 ? { path: skill.folder } : {};
      if (hint !== null) known.push({ code: "not_active", severity: "warning", ...path, message: hint });
    }
    return { ids, known };
  });
  const rows = await Promise.all(ids.map((id) => requireSkill(ctx, id)));
  const fit = read.usable.flatMap(({ folder, manifest }) =>
    reportFit(manifest, host).map((note) => (read.usable.length > 1 ? { ...note, path: folder } : note)),
  );
  return { skills: await presentSkills(ctx, rows), diagnostics: [...known, ...allDiagnostics(read), ...fit] };
}
