import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { aboutSkill } from "@/lib/skills/about-skill";
import { ORG, requireManagedSkill, type SkillRow } from "./skill-access";

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
