import type { Ctx } from "@/lib/db/context";

/** Installs of skills through all doors, by skill id; those without any are left out. Says nothing about who may know. */
export async function countInstalls(ctx: Ctx, skillIds: string[]): Promise<Map<string, number>> {
  if (skillIds.length === 0) return new Map();
  const rows = await ctx.db.installCount.groupBy({
    by: ["skillId"],
    where: { skillId: { in: skillIds } },
    _sum: { count: true },
  });
  return new Map(rows.map(({ skillId, _sum }) => [skillId, _sum.count ?? 0]));
}
