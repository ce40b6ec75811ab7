import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { digestFiles, sha256Hex } from "@/lib/skill-format/archive/skill-file";
import { programsNamed, reportFit } from "@/lib/skill-format/manifest/report-fit";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { hostFacts } from "./host-facts";
import { noteMissingSteps } from "./pipeline/note-missing-steps";
import { readUpload, type Upload, type UploadedSkill } from "./read-upload";
import type { ImportPreview } from "./schema";
import { requireOwnerKey } from "./skill-access";
import type { ReadSkill } from "./store-version";

/** What importing this upload would do, and what of each skill does not fit here. Stores nothing. */
export async function previewImport(ctx: Ctx, input: Upload & { owner: "me" | "org" }): Promise<ImportPreview> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner);
  const read = await readUpload(input);
  const skills: ImportPreview["skills"] = [];
  const host = await hostFacts(
    ctx,
    read.usable.flatMap(({ manifest }) => programsNamed(manifest)),
  );
  const beside = read.usable.map(({ manifest }) => manifest);
  for (const skill of read.usable) {
    const missing = await noteMissingSteps(ctx, skill.manifest, beside);
    const fit = [...reportFit(skill.manifest, host), ...missing];
    skills.push(describeRead(skill, await effectOf(ctx, ownerKey, skill), fit));
  }
  for (const skill of read.refused) skills.push(describeRead(skill, "refused", []));
  return { skills, diagnostics: read.diagnostics };
}

type Effect = ImportPreview["skills"][number]["effect"];

async function effectOf(ctx: Ctx, ownerKey: string, read: ReadSkill): Promise<Effect> {
  const skill = await ctx.db.skill.findFirst({
    where: { ownerKey, liveSlug: read.manifest.slug },
    select: { id: true },
  });
  if (!skill) return "new";
  const known = await ctx.db.version.findFirst({
    where: { skillId: skill.id, digest: digestOf(read) },
    select: { id: true },
  });
  return known ? "known" : "version";
}

function describeRead(read: UploadedSkill, effect: Effect, fit: Diagnostic[]): ImportPreview["skills"][number] {
  const { manifest } = read;
  return {
    folder: read.folder,
    location: read.location,
    name: manifest.name,
    description: manifest.description,
    kind: manifest.kind,
    class: manifest.declaredClass,
    allowedTools: manifest.allowedTools,
    entry: manifest.entry,
    digest: digestOf(read),
    files: read.files.map(({ path, mode, bytes }) => ({ path, mode, size: bytes.byteLength })),
    diagnostics: [...read.diagnostics, ...fit],
    effect,
  };
}

function digestOf(read: ReadSkill): string {
  return digestFiles(read.files.map((file) => ({ ...file, sha256: sha256Hex(file.bytes) })));
}
