import { stringify } from "yaml";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { type Ctx, inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { aboutSkill } from "./about-skill";
import { activationHint } from "./approval/activation-rights";
import { isOwnerApproved } from "./approval/owner-approval";
import { getSkill } from "./get-skill";
import type { CreateSkillInput, PatchSkillInput, Skill } from "./schema";
import { loadFilesAndDecisions, ORG, requireManagedSkill, requireOwnerKey, type SkillRow } from "./skill-access";
import { unusableUpload } from "./transfer/read-upload";
import { filesFromInput } from "./versions/files-from-input";
import { storeVersion } from "./versions/store-version";

/** Creates a skill with a draft version. `conflict` when the owner has a skill of this name. */
export async function createSkill(ctx: Ctx, input: CreateSkillInput): Promise<Skill> {
  const actor = requireScope(ctx.actor, "write");
  const ownerKey = requireOwnerKey(actor, input.owner ?? "me");
  const files = "files" in input ? filesFromInput(input.files) : [writePlaybook(input)];
  const read = {
    folder: "name" in input ? input.name : "skill",
    files,
    ...readSkill(files, { folder: "name" in input ? input.name : "skill" }),
  };
  if (read.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
    throw unusableUpload({ usable: [], refused: [read], diagnostics: [] });
  }
  const { skillId } = await inTransaction(ctx, async (tx, txCtx) => {
    const taken = await tx.skill.findFirst({ where: { ownerKey, liveSlug: read.manifest.slug } });
    if (taken)
      throw new AppError(
        "conflict",
        `A skill “${taken.name}” exists already. Add a version to it, or choose another name.`,
      );
    return storeVersion(tx, txCtx, actor, { read, ownerKey, source: "authored", state: "draft", provenance: {} });
  });
  return getSkill(ctx, skillId);
}

/** Writes the SKILL.md of a playbook. */
export function writePlaybook(input: Omit<Extract<CreateSkillInput, { body: string }>, "owner">): SkillFile {
  const frontmatter = stringify({
    name: input.name,
    description: input.description,
    ...(input.whenToUse ? { when_to_use: input.whenToUse } : {}),
    ...(input.allowedTools ? { "allowed-tools": input.allowedTools.join(" ") } : {}),
  });
  const text = `---\n${frontmatter}---\n\n${input.body.trimStart()}${input.body.endsWith("\n") ? "" : "\n"}`;
  return { path: "SKILL.md", mode: "644", bytes: new TextEncoder().encode(text) };
}

/**
 * Enables or disables a skill and changes its settings. `not_approved` when it has no active version to enable;
 * visibility and listing are for admins. Unlisting applies to the next request.
 */
export async function updateSkill(ctx: Ctx, idOrName: string, input: PatchSkillInput): Promise<Skill> {
  if (input.visibility !== undefined || input.listed !== undefined) requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    if (input.enabled && !skill.currentId) {
      const waits = skill.pending
        ? `version ${skill.pending.digest.slice(0, 7)} is pending review`
        : "no version is pending review";
      const hint = await activationHint(txCtx, skill);
      const lacks = hint === "" ? "has no approved version" : "has no active version";
      throw new AppError("not_approved", `“${skill.name}” ${lacks}: ${waits}.${hint}`);
    }
    if (input.visibility === "public" && skill.visibility !== "public") await assertReviewed(txCtx, skill);
    const { tags, ...plain } = input;
    const revived = input.enabled || input.pinned ? { lifecycle: "active", revivedAt: ctx.now() } : {};
    const data = { ...plain, ...(tags ? { tags: JSON.stringify(tags) } : {}), ...revived };
    const before = Object.fromEntries(Object.keys(input).map((key) => [key, skill[key as keyof typeof skill]]));
    await tx.skill.update({ where: { id: skill.id }, data: { ...data, updatedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      ...describeChange(skill.name, input),
      concerns: skill.ownerId,
      ...aboutSkill(skill),
      class: skill.class,
      ...(skill.current ? { versionDigest: skill.current.digest } : {}),
      data: { before, after: input },
    });
    return getSkill(txCtx, skill.id);
  });
}

/** A version that only its owner approved needs a reviewer's approval before other people can use it. */
async function assertReviewed(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (skill.current === null) return;
  const version = { ...skill.current, ...(await loadFilesAndDecisions(ctx, skill.current.id)) };
  if (!isOwnerApproved({ skill, version })) return;
  throw new AppError(
    "not_approved",
    `“${skill.name}” cannot become public, because only its owner approved version ${version.number}, for their own use. Ask a reviewer to approve it first.`,
    { rule: "own-use" },
  );
}

/** A change of only one switch has its own audit action. */
function describeChange(name: string, input: PatchSkillInput): { action: string; summary: string } {
  const { enabled, listed } = input;
  const isAlone = Object.keys(input).length === 1;
  if (isAlone && enabled !== undefined) {
    return enabled
      ? { action: "skill.enable", summary: `switched ${name} on` }
      : { action: "skill.disable", summary: `switched ${name} off` };
  }
  if (isAlone && listed !== undefined) {
    return listed
      ? { action: "skill.list", summary: `unblocked ${name}` }
      : { action: "skill.unlist", summary: `blocked ${name}` };
  }
  return { action: "skill.update", summary: `changed ${Object.keys(input).join(", ")} of ${name}` };
}

/**
 * Deletes a skill for all users and frees its name. Its versions, decisions and runs stay for the audit log. `conflict` while another skill
 * of its owner needs it, unless it needs that one itself, and while approved skills of other owners need one of the organisation.
 */
export async function deleteSkill(ctx: Ctx, idOrName: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    await assertNotNeeded(txCtx, skill);
    const data = { deletedAt: ctx.now(), liveSlug: null, enabled: false, updatedAt: ctx.now() };
    await tx.skill.update({ where: { id: skill.id }, data });
    await recordEvent(tx, txCtx, {
      action: "skill.delete",
      summary: `deleted ${skill.name}`,
      ...aboutSkill(skill),
      class: skill.class,
    });
  });
}

const Names = z.array(z.string());

async function assertNotNeeded({ db }: Ctx, skill: SkillRow): Promise<void> {
  const rows = await db.skill.findMany({
    where: { ownerKey: skill.ownerKey, deletedAt: null, depends: { not: "[]" } },
    select: { slug: true, name: true, depends: true },
  });
  const needs = new Map(rows.map((row) => [row.slug, parseJsonColumn(Names, row.depends).map(slugOf)]));
  const reached = new Set<string>([skill.slug]);
  for (const slug of reached) for (const needed of needs.get(slug) ?? []) reached.add(needed);
  const by = rows
    .filter(({ slug }) => needs.get(slug)?.includes(skill.slug) && !reached.has(slug))
    .map(({ name }) => name)
    .sort();
  const others = skill.ownerKey === ORG ? await countOtherNeeds(db, skill) : 0;
  if (others > 0) by.push(`${others} ${others === 1 ? "skill" : "skills"} of other people`);
  if (by.length === 0) return;
  throw new AppError("conflict", `“${skill.name}” is needed by ${by.join(", ")}. Delete what needs it first.`);
}

/**
 * Skills of other owners that resolve a need to this one of the organisation. Their names may be private. Only approved ones count, so
 * that an import alone does not keep others from deleting.
 */
async function countOtherNeeds(db: Ctx["db"], { slug }: SkillRow): Promise<number> {
  const rows = await db.skill.findMany({
    where: { ownerKey: { not: ORG }, deletedAt: null, currentId: { not: null }, depends: { not: "[]" } },
    select: { ownerKey: true, depends: true },
  });
  const needing = rows.filter(({ depends }) => parseJsonColumn(Names, depends).map(slugOf).includes(slug));
  const ownerKeys = needing.map(({ ownerKey }) => ownerKey);
  const own = await db.skill.findMany({
    where: { liveSlug: slug, ownerKey: { in: ownerKeys } },
    select: { ownerKey: true },
  });
  const served = new Set(own.map(({ ownerKey }) => ownerKey));
  return needing.filter(({ ownerKey }) => !served.has(ownerKey)).length;
}
