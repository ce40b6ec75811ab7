import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { proposeClass } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import type { HostFacts } from "@/lib/skill-format/manifest/report-compatibility";
import { programsNamed, reportCompatibility } from "@/lib/skill-format/manifest/report-compatibility";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { presentSkills } from "@/lib/skills/get-skill";
import { warnMissingSteps } from "@/lib/skills/pipeline/plan-pipeline";
import { requireOwnerKey, requireSkill } from "@/lib/skills/skill-access";
import { assertImportQuota, hashFiles, type ReadSkill, storeVersion } from "@/lib/skills/versions/store-version";
import { allDiagnostics, readUpload, type Upload, type UploadedSkill, unusableUpload } from "./read-upload";
import type { ImportAnswer, ImportPreview } from "./schema";

/**
 * Imports all usable skills of an upload in one transaction, as pending versions. Rejects the whole upload when the
 * archive is hostile or has no usable skill; otherwise refused skills are reported as diagnostics. `folders` lists
 * every folder that could be a skill.
 */
export async function importSkills(ctx: Ctx, input: Upload & { owner: "me" | "org" }): Promise<ImportAnswer> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner);
  await assertImportQuota(ctx, actor.userId);
  const read = await readUpload(input);
  if (read.usable.length === 0) throw unusableUpload(read);
  const fit = await reportCompatibilitys(ctx, read.usable);
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
  const folders = [
    ...stored,
    ...read.refused.map(describeRefused),
    ...read.skipped.map((folder) => ({ ...folder, outcome: "skipped" as const, skillId: null })),
  ];
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

type Found = ImportPreview["skills"][number];
type PreviewScan = Pick<Found, "scan" | "findings" | "moreFindings">;
/** Scans one skill of an upload. */
export type ScanUploaded = (skill: UploadedSkill) => Promise<PreviewScan>;

export const UNSCANNED: PreviewScan = { scan: "pending", findings: [], moreFindings: 0 };

/** Previews an import, with class, incompatibilities and findings of each skill. Stores nothing. */
export async function previewImport(
  ctx: Ctx,
  input: Upload & { owner: "me" | "org" },
  scan: ScanUploaded = async () => UNSCANNED,
): Promise<ImportPreview> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner);
  const read = await readUpload(input);
  const skills: Found[] = [];
  for (const [skill, fit] of await reportCompatibilitys(ctx, read.usable)) {
    const digest = await digestOf(skill);
    const effect = await effectOf(ctx, ownerKey, skill, digest);
    skills.push(describeRead(skill, { effect, digest, fit, scanned: await scan(skill) }));
  }
  for (const skill of read.refused) {
    const digest = await digestOf(skill);
    skills.push(describeRead(skill, { effect: "refused", digest, fit: [], scanned: UNSCANNED }));
  }
  return { skills, diagnostics: read.diagnostics };
}

async function reportCompatibilitys(ctx: Ctx, skills: UploadedSkill[]): Promise<Map<UploadedSkill, Diagnostic[]>> {
  const manifests = skills.map(({ manifest }) => manifest);
  const host = await hostFacts(ctx, manifests.flatMap(programsNamed));
  const fits = new Map<UploadedSkill, Diagnostic[]>();
  for (const skill of skills) {
    const missing = await warnMissingSteps(ctx, skill.manifest, manifests);
    fits.set(skill, [...reportCompatibility(skill.manifest, host), ...missing]);
  }
  return fits;
}

type Effect = Found["effect"];

async function effectOf(ctx: Ctx, ownerKey: string, read: ReadSkill, digest: string): Promise<Effect> {
  const skill = await ctx.db.skill.findFirst({
    where: { ownerKey, liveSlug: read.manifest.slug },
    select: { id: true },
  });
  if (!skill) return "new";
  const known = await ctx.db.version.findFirst({
    where: { skillId: skill.id, digest },
    select: { id: true },
  });
  return known ? "known" : "version";
}

function describeRead(
  read: UploadedSkill,
  { effect, digest, fit, scanned }: { effect: Effect; digest: string; fit: Diagnostic[]; scanned: PreviewScan },
): Found {
  const { manifest } = read;
  const proposal = proposeClass(manifest, read.files);
  return {
    folder: read.folder,
    location: read.location,
    name: manifest.name,
    description: manifest.description,
    kind: manifest.kind,
    class: manifest.declaredClass,
    proposedClass: proposal.class,
    proposedClassReason: proposal.reason,
    license: manifest.license,
    allowedTools: manifest.allowedTools,
    entry: manifest.entry,
    digest,
    files: read.files.map(({ path, mode, bytes }) => ({ path, mode, size: bytes.byteLength })),
    diagnostics: [...read.diagnostics, ...fit],
    ...scanned,
    effect,
  };
}

async function digestOf(read: ReadSkill): Promise<string> {
  return digestFiles(await hashFiles(read.files));
}

const MAX_PROGRAMS = 100;

/** Platforms of the workers (else of this server), and which programs are on this server's PATH. */
export async function hostFacts(ctx: Ctx, programs: string[]): Promise<HostFacts> {
  const workers = await ctx.db.worker.findMany({ where: { revokedAt: null }, select: { platform: true } });
  const named = workers.flatMap(({ platform }) => platform?.split(" ")[0] ?? []);
  const found = new Set<string>();
  for (const name of [...new Set(programs)].slice(0, MAX_PROGRAMS)) if (await isOnPath(name)) found.add(name);
  return { platforms: named.length > 0 ? [...new Set(named)] : [process.platform], programs: found };
}

async function isOnPath(name: string): Promise<boolean> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(name)) return false;
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const isThere = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
