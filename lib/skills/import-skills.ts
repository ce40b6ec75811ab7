import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { programsNamed, reportFit } from "@/lib/skill-format/manifest/report-fit";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { assertImportQuota } from "./assert-import-quota";
import { hostFacts } from "./host-facts";
import { noteMissingSteps } from "./pipeline/note-missing-steps";
import { presentSkills } from "./present-skill";
import {
  allDiagnostics,
  readUpload,
  type SkippedFolder,
  type Upload,
  type UploadedSkill,
  unusableUpload,
} from "./read-upload";
import type { ImportAnswer } from "./schema";
import { requireOwnerKey, requireSkill } from "./skill-access";
import { storeVersion } from "./store-version";

/**
 * Imports every usable skill of an upload in one transaction, each as a pending version. Rejects the upload as a whole
 * when the archive is hostile or nothing in it is usable; skills that are refused beside usable ones are diagnostics. `folders`
 * accounts for each folder that could be a skill.
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
  const beside = read.usable.map(({ manifest }) => manifest);
  const fit = new Map<UploadedSkill, Diagnostic[]>();
  for (const skill of read.usable) {
    const missing = await noteMissingSteps(ctx, skill.manifest, beside);
    fit.set(skill, [...reportFit(skill.manifest, host), ...missing]);
  }
  const { stored, known } = await inTransaction(ctx, async (tx, txCtx) => {
    const stored: ImportAnswer["folders"] = [];
    const known: Diagnostic[] = [];
    for (const skill of read.usable) {
      const report = fit.get(skill) ?? [];
      const provenance = { file: input.filename, folder: skill.folder, at: ctx.now().toISOString(), report };
      const { skillId, effect, hint } = await storeVersion(tx, txCtx, actor, {
        read: skill,
        ownerKey,
        source: "imported",
        state: "pending",
        provenance,
      });
      stored.push({ location: skill.location, outcome: effect, skillId, reason: null });
      const path = read.usable.length > 1 ? { path: skill.location || skill.folder } : {};
      if (hint !== null) known.push({ code: "not_active", severity: "warning", ...path, message: hint });
    }
    return { stored, known };
  });
  const rows = await Promise.all(stored.flatMap(({ skillId }) => (skillId ? [requireSkill(ctx, skillId)] : [])));
  const notes = [...fit].flatMap(([{ folder, location }, found]) =>
    found.map((note) => (read.usable.length > 1 ? { ...note, path: location || folder } : note)),
  );
  const folders = [...stored, ...read.refused.map(describeRefused), ...read.skipped.map(describeSkipped)];
  return {
    skills: await presentSkills(ctx, rows),
    diagnostics: [...known, ...allDiagnostics(read), ...notes],
    folders,
  };
}

type Folder = ImportAnswer["folders"][number];

function describeRefused({ location, diagnostics }: UploadedSkill): Folder {
  const reason = diagnostics.find(({ severity }) => severity === "error")?.message ?? null;
  return { location, outcome: "refused", skillId: null, reason };
}

function describeSkipped({ location, reason }: SkippedFolder): Folder {
  return { location, outcome: "skipped", skillId: null, reason };
}
