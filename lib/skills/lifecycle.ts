import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { query } from "@/lib/db/sql";
import { aboutSkill } from "@/lib/skills/about-skill";

const DAY_MS = 86_400_000;
const STALE_DAYS = 30;
const ARCHIVED_DAYS = 90;

const BATCH = 200;

const USE = query(`UPDATE "Skill" SET "lastUsedAt" = ?, "lifecycle" = 'active' WHERE "id" = ?`);

type AgingSkill = { id: string; name: string; toolName: string; ownerId: string | null; enabled: boolean };

/**
 * Marks authored skills stale after 30 days without use, edit or activation, and archives (disables) them after 90.
 * Pinned skills are exempt. Returns the number of changed skills.
 */
export async function ageSkills(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const toArchive = await findIdle(tx, txCtx, ARCHIVED_DAYS, ["active", "stale"]);
    for (const skill of toArchive) await age(tx, txCtx, skill, "archived");
    const toStale = await findIdle(tx, txCtx, STALE_DAYS, ["active"]);
    for (const skill of toStale) await age(tx, txCtx, skill, "stale");
    return toArchive.length + toStale.length;
  });
}

function findIdle(tx: Tx, ctx: Ctx, days: number, lifecycles: string[]): Promise<AgingSkill[]> {
  const before = new Date(ctx.now().getTime() - days * DAY_MS);
  const notSince = (column: "lastUsedAt" | "revivedAt"): Prisma.SkillWhereInput => ({
    OR: [{ [column]: null }, { [column]: { lte: before } }],
  });
  return tx.skill.findMany({
    where: {
      source: "authored",
      deletedAt: null,
      pinned: false,
      lifecycle: { in: lifecycles },
      createdAt: { lte: before },
      AND: [notSince("lastUsedAt"), notSince("revivedAt")],
      versions: { none: { createdAt: { gt: before } } },
    },
    select: { id: true, name: true, toolName: true, ownerId: true, enabled: true },
    orderBy: { id: "asc" },
    take: BATCH,
  });
}

async function age(tx: Tx, ctx: Ctx, skill: AgingSkill, lifecycle: "stale" | "archived"): Promise<void> {
  const isArchived = lifecycle === "archived";
  await tx.skill.update({ where: { id: skill.id }, data: { lifecycle, ...(isArchived ? { enabled: false } : {}) } });
  const days = isArchived ? ARCHIVED_DAYS : STALE_DAYS;
  await recordEvent(tx, ctx, {
    action: isArchived ? "skill.archive" : "skill.stale",
    summary: `${isArchived ? "archived and switched off" : "marked as stale"} ${skill.name}: unused for ${days} days`,
    ...aboutSkill(skill),
    concerns: skill.ownerId,
    data: { days, wasEnabled: skill.enabled },
  });
}

type UsedSkill = { id: string; name: string; toolName: string; lifecycle: string; ownerId: string | null };

/** Records a use in the caller's transaction; a stale skill becomes active again. */
export async function markUsed(tx: Tx, ctx: Ctx, skill: UsedSkill): Promise<void> {
  await ctx.database.writeSql.run(USE, ctx.now(), skill.id);
  if (skill.lifecycle === "active") return;
  await recordEvent(tx, ctx, {
    action: "skill.revive",
    summary: `used ${skill.name}, which is active again`,
    ...aboutSkill(skill),
    concerns: skill.ownerId,
    data: { before: skill.lifecycle },
  });
}
