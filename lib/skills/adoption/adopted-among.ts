import type { Ctx } from "@/lib/db/context";

/** Ids of those of some skills that a person has adopted. */
export async function adoptedAmong(ctx: Ctx, userId: string, skills: { id: string }[]): Promise<Set<string>> {
  if (skills.length === 0) return new Set();
  const rows = await ctx.db.adoption.findMany({
    where: { userId, skillId: { in: skills.map(({ id }) => id) } },
    select: { skillId: true },
  });
  return new Set(rows.map(({ skillId }) => skillId));
}
