import type { Ctx } from "@/lib/db/context";
import { requirePerson } from "@/lib/policy/require-scope";
import { visibleTo } from "@/lib/skills/skill-access";

/** Names of skills by id. Those the caller does not see are left out: a trace must not tell what they are called. */
export async function nameSkills(ctx: Ctx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visibleTo(requirePerson(ctx.actor)), { id: { in: ids } }] },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
