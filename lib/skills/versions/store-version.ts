import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Ctx, Tx } from "@/lib/db/context";
import { ownerIdOf, parseOwnerKey } from "@/lib/policy/ownership";
import { proposeClass } from "@/lib/policy/propose-class";
import { assertSkillQuota } from "@/lib/settings/quotas/quotas";
import { getSettings } from "@/lib/settings/settings";
import { isText } from "@/lib/skill-format/archive/decode-text";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { dependencyNames } from "@/lib/skill-format/manifest/skill-names";
import { type Diagnostic, isPipeline, type SkillClass, type SkillManifest } from "@/lib/skill-format/schema";
import { aboutSkill } from "@/lib/skills/about-skill";
import type { SkillSource } from "@/lib/skills/schema";
import { assertNotHidden } from "@/lib/skills/skill-access";
import { howToActivate } from "@/lib/skills/version-access";

export type ReadSkill = { folder: string; files: SkillFile[]; manifest: SkillManifest; diagnostics: Diagnostic[] };

export type Author = { userId: string; name: string };

type StoreInput = {
  read: ReadSkill;
  ownerKey: string;
  source: SkillSource;
  state: "draft" | "pending";
  /** Origin of the bytes: file name, and for catalog skills commit and folder. */
  provenance: Record<string, unknown>;
};

export type Stored = {
  skillId: string;
  versionId: string;
  digest: string;
  effect: "new" | "version" | "known";
  /** How to activate known bytes that are approved and inactive, as a sentence; else null. */
  hint: string | null;
};

/**
 * Stores a version in the caller's transaction, with its files, and the skill when the owner has none of this name.
 * Known bytes create no version: a draft of them is submitted, any other state stays, so an import never revives a
 * rejected or revoked version. Throws `quota_exceeded` or `rate_limited` for a person's quotas, and `forbidden` when
 * the caller's persona excludes the skill by its old or new names.
 */
export async function storeVersion(tx: Tx, ctx: Ctx, author: Author, input: StoreInput): Promise<Stored> {
  const { read, ownerKey } = input;
  const files = await hashFiles(read.files);
  const digest = digestFiles(files);
  const existing = await tx.skill.findFirst({ where: { ownerKey, liveSlug: read.manifest.slug } });
  if (isPerson(ctx.actor)) {
    const { name, slug, toolName } = read.manifest;
    if (existing) await assertNotHidden(ctx, existing);
    const unserved = { class: "dangerous", currentId: null };
    await assertNotHidden(ctx, { name, slug, toolName, listed: true, ownerId: ownerIdOf(ownerKey), ...unserved });
  }
  const known = existing && (await tx.version.findFirst({ where: { skillId: existing.id, digest } }));
  if (known) {
    if (known.state === "draft" && input.state === "pending") await markPending(tx, ctx, known);
    const hint = howToActivate(existing, known).trim() || null;
    return { skillId: existing.id, versionId: known.id, digest, effect: "known", hint };
  }
  if (isPerson(ctx.actor)) {
    const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
    const ownerId = parseOwnerKey(ownerKey).kind === "user" ? ownerKey : null;
    await assertSkillQuota(ctx, { authorId: author.userId, ownerId, bytes, isNewSkill: existing === null });
  }
  const at = ctx.now();
  const proposed = proposeClass(read.manifest, files);
  const skillId = existing?.id ?? (await createSkillRow(tx, ctx, input, proposed.class));
  await storeBlobs(tx, files, at);
  const last = await tx.version.findFirst({
    where: { skillId },
    orderBy: { number: "desc" },
    select: { number: true },
  });
  const version = await tx.version.create({
    data: {
      id: newId(),
      skillId,
      number: (last?.number ?? 0) + 1,
      digest,
      state: input.state,
      manifest: JSON.stringify(read.manifest),
      diagnostics: JSON.stringify(read.diagnostics),
      provenance: JSON.stringify(input.provenance),
      declaredClass: read.manifest.declaredClass,
      createdAt: at,
      createdById: author.userId,
      createdByName: author.name,
      submittedAt: input.state === "pending" ? at : null,
      ...(input.state === "pending" ? submitter(ctx) : {}),
    },
  });
  await tx.versionFile.createMany({
    data: files.map((file) => ({
      versionId: version.id,
      path: file.path,
      mode: file.mode,
      sha256: file.sha256,
      size: file.bytes.byteLength,
      isText: isText(file.bytes),
    })),
  });
  const shows = existing?.currentId ? {} : metadataColumns(read.manifest, proposed.class);
  const pending = input.state === "pending" ? { pendingId: version.id } : {};
  await tx.skill.update({ where: { id: skillId }, data: { ...shows, ...pending, updatedAt: at } });
  await recordEvent(tx, ctx, {
    action: input.state === "pending" ? "version.import" : "version.create",
    summary: `${input.state === "pending" ? "imported" : "drafted"} ${read.manifest.name} ${digest.slice(0, 7)}`,
    target: { kind: "skill", id: skillId, name: read.manifest.name },
    skillId,
    versionDigest: digest,
    tool: read.manifest.toolName,
    class: proposed.class,
    data: { number: version.number, files: files.length, source: input.source, provenance: input.provenance },
  });
  for (const { code, path, message } of read.diagnostics) {
    if (code === "field_unknown") logger.info({ skill: read.manifest.name, digest, path }, `skill reader: ${message}`);
  }
  return { skillId, versionId: version.id, digest, effect: existing ? "version" : "new", hint: null };
}

async function createSkillRow(tx: Tx, ctx: Ctx, input: StoreInput, effectiveClass: SkillManifest["declaredClass"]) {
  const { manifest } = input.read;
  const id = newId();
  await tx.skill.create({
    data: {
      id,
      ...metadataColumns(manifest, effectiveClass ?? "safe"),
      ownerKey: input.ownerKey,
      ownerId: ownerIdOf(input.ownerKey),
      slug: manifest.slug,
      liveSlug: manifest.slug,
      category: manifest.category,
      tags: JSON.stringify(manifest.tags),
      source: input.source,
      visibility: "private",
      enabled: false,
      pinned: false,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  });
  return id;
}

async function storeBlobs(tx: Tx, files: (SkillFile & { sha256: string })[], at: Date): Promise<void> {
  const bySha = new Map(files.map((file) => [file.sha256, file]));
  const stored = await tx.blob.findMany({ where: { sha256: { in: [...bySha.keys()] } }, select: { sha256: true } });
  for (const { sha256 } of stored) bySha.delete(sha256);
  for (const [sha256, { bytes }] of bySha) {
    // Unlike `create`, which would read the bytes back.
    await tx.blob.createMany({ data: { sha256, size: bytes.byteLength, bytes: new Uint8Array(bytes), createdAt: at } });
  }
}

/** Submits a version for review, in the caller's transaction. */
export async function markPending(
  tx: Tx,
  ctx: Ctx,
  version: { id: string; skillId: string; digest: string },
): Promise<void> {
  await tx.version.update({
    where: { id: version.id },
    data: { state: "pending", submittedAt: ctx.now(), ...submitter(ctx) },
  });
  const skill = await tx.skill.update({
    where: { id: version.skillId },
    data: { pendingId: version.id, updatedAt: ctx.now() },
  });
  await recordEvent(tx, ctx, {
    action: "version.submit",
    summary: `submitted ${skill.name} ${version.digest.slice(0, 7)} for review`,
    ...aboutSkill(skill),
    versionDigest: version.digest,
  });
}

/** The submitter, who like the author may not approve the version alone. */
export function submitter({ actor }: Ctx): { submittedById: string | null; submittedByName: string | null } {
  return isPerson(actor)
    ? { submittedById: actor.userId, submittedByName: actor.name }
    : { submittedById: null, submittedByName: null };
}

/** Columns of a skill that mirror its active version, or the newest without one. */
export function metadataColumns(manifest: SkillManifest, effectiveClass: SkillClass) {
  return {
    name: manifest.name,
    toolName: manifest.toolName,
    label: manifest.label,
    description: manifest.description,
    whenToUse: manifest.whenToUse,
    class: effectiveClass,
    scope: manifest.scope,
    resultPreview: manifest.resultPreview,
    author: manifest.author,
    version: manifest.version,
    license: manifest.license,
    compatibility: manifest.compatibility,
    homepage: manifest.homepage,
    always: manifest.always,
    userInvocable: manifest.userInvocable,
    contextFork: manifest.contextFork,
    runnable: manifest.entry !== null || isPipeline(manifest),
    depends: JSON.stringify(dependencyNames(manifest)),
    allowedTools: manifest.allowedTools && JSON.stringify(manifest.allowedTools),
    requires: JSON.stringify(manifest.requires),
    meta: JSON.stringify(manifest.meta),
    argsSchema: manifest.schema && JSON.stringify(manifest.schema),
  };
}

/** Throws `rate_limited` above the limit that imports, installs and updates share: versions per person and hour. */
export async function assertImportQuota(ctx: Ctx, userId: string): Promise<void> {
  const { importsPerHour } = await getSettings(ctx);
  const since = new Date(ctx.now().getTime() - 3_600_000);
  const recent = await ctx.db.version.count({ where: { createdById: userId, createdAt: { gte: since } } });
  if (recent < importsPerHour) return;
  throw new AppError(
    "rate_limited",
    `You imported ${recent} versions in the last hour; the limit is ${importsPerHour}. Try again later.`,
    { retryAfterSeconds: 600 },
  );
}

/** The files with the SHA-256 of each. Lets the event loop turn, since a skill may have 50 MiB. */
export async function hashFiles(files: readonly SkillFile[]): Promise<(SkillFile & { sha256: string })[]> {
  const hashed: (SkillFile & { sha256: string })[] = [];
  for (const file of files) {
    await loopTurn();
    hashed.push({ ...file, sha256: sha256Hex(file.bytes) });
  }
  return hashed;
}
