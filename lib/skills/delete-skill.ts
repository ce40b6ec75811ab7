import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { slugOf } from "@/lib/skill-format/manifest/skill-names";
import { aboutSkill } from "@/lib/skills/about-skill";
import { requireManagedSkill, type SkillRow } from "./skill-access";

/**
 * Deletes a skill for all users and frees its name. Its versions, decisions and runs stay for the audit log. `conflict` while another skill
 * of its owner needs it, unless it needs that one itself.
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
    .map(({ name }) => name);
  if (by.length === 0) return;
  throw new AppError("conflict", `“${skill.name}” is needed by ${by.sort().join(", ")}. Delete what needs it first.`);
}
