import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { StarState } from "./schema";

export const NO_STARS: StarState = { starred: false, stars: 0 };

/** Stars of skills, by id, and whether the caller gave one; skills without any are left out. */
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
