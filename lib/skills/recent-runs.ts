import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import type { Skill } from "./schema";

const SHOWN = 12;

type Row = { skillId: string; state: string; durationMs: number | null };

/** The last finished runs of each skill, oldest first: one statement, and for each skill no more rows than are shown. */
export async function recentRuns(ctx: Ctx, skillIds: string[]): Promise<Map<string, Skill["recentRuns"]>> {
  const found = new Map<string, Skill["recentRuns"]>();
  if (skillIds.length === 0) return found;
  const each = skillIds.map(
    (id) => Prisma.sql`SELECT * FROM (
      SELECT "skillId", "state", "durationMs" FROM "Run"
      WHERE "skillId" = ${id} AND "finishedAt" IS NOT NULL ORDER BY "id" DESC LIMIT ${SHOWN}
    ) AS "newest"`,
  );
  const rows = await ctx.db.$queryRaw<Row[]>(Prisma.join(each, " UNION ALL "));
  for (const { skillId, state, durationMs } of rows) {
    const runs = found.get(skillId) ?? [];
    runs.unshift({ state, durationMs });
    found.set(skillId, runs);
  }
  return found;
}
