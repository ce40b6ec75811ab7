import type { Ctx } from "@/lib/db/context";
import { countStars } from "@/lib/skills/community/stars";

const RECENT_MS = 60 * 24 * 60 * 60_000;

export type Use = { installs: number; recentInstalls: number; stars: number };
export const UNUSED: Use = { installs: 0, recentInstalls: 0, stars: 0 };

/** How often skills were installed, in all and in the last 60 days, and how many people starred them; by id. */
export async function countUse(ctx: Ctx, skillIds: string[]): Promise<Map<string, Use>> {
  const since = new Date(ctx.now().getTime() - RECENT_MS).toISOString().slice(0, 10);
  const where = { skillId: { in: skillIds } };
  const group = { by: ["skillId"], _sum: { count: true } } as const;
  const all = await ctx.db.installCount.groupBy({ ...group, by: ["skillId"], where });
  const recent = await ctx.db.installCount.groupBy({
    ...group,
    by: ["skillId"],
    where: { ...where, day: { gte: since } },
  });
  const stars = await countStars(ctx, skillIds);
  const recently = new Map(recent.map(({ skillId, _sum }) => [skillId, _sum.count ?? 0]));
  const installs = new Map(all.map(({ skillId, _sum }) => [skillId, _sum.count ?? 0]));
  return new Map(
    skillIds.map((id): [string, Use] => [
      id,
      { installs: installs.get(id) ?? 0, recentInstalls: recently.get(id) ?? 0, stars: stars.get(id)?.stars ?? 0 },
    ]),
  );
}
