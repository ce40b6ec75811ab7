import { recordEvent } from "@/lib/audit/record-event";
import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { requireSkill } from "../skill-access";
import type { StarState } from "./schema";

/** Stars or unstars a visible skill, once per person. */
export async function setStar(ctx: Ctx, idOrName: string, starred: boolean): Promise<StarState> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const key = { userId: actor.userId, skillId: skill.id };
    const known = await tx.star.findUnique({ where: { userId_skillId: key } });
    if ((known !== null) !== starred) {
      if (starred) await tx.star.create({ data: { ...key, at: ctx.now() } });
      else await tx.star.delete({ where: { userId_skillId: key } });
      await recordEvent(tx, txCtx, {
        action: starred ? "skill.star" : "skill.unstar",
        summary: starred ? `starred ${skill.name}` : `removed the star from ${skill.name}`,
        ...aboutSkill(skill),
      });
    }
    return (await countStars(txCtx, [skill.id])).get(skill.id) ?? NO_STARS;
  });
}

export const NO_STARS: StarState = { starred: false, stars: 0 };

/** Number of stars by skill id, and whether the caller starred it; skills without stars are omitted. */
export async function countStars(ctx: Ctx, skillIds: string[]): Promise<Map<string, StarState>> {
  const where = { skillId: { in: skillIds } };
  const counted = await ctx.db.star.groupBy({ by: ["skillId"], where, _count: { _all: true } });
  if (counted.length === 0 || !isPerson(ctx.actor)) {
    return new Map(counted.map(({ skillId, _count }) => [skillId, { starred: false, stars: _count._all }]));
  }
  const own = await ctx.db.star.findMany({ where: { ...where, userId: ctx.actor.userId }, select: { skillId: true } });
  const starred = new Set(own.map(({ skillId }) => skillId));
  return new Map(
    counted.map(({ skillId, _count }) => [skillId, { starred: starred.has(skillId), stars: _count._all }]),
  );
}

/** Installs by skill id through all distribution endpoints, without an access check. */
export async function countInstalls(ctx: Ctx, skillIds: string[]): Promise<Map<string, number>> {
  if (skillIds.length === 0) return new Map();
  const rows = await ctx.db.installCount.groupBy({
    by: ["skillId"],
    where: { skillId: { in: skillIds } },
    _sum: { count: true },
  });
  return new Map(rows.map(({ skillId, _sum }) => [skillId, _sum.count ?? 0]));
}
