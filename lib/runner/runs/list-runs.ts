import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import type { ListRunsQuery, Run } from "@/lib/runner/schema";
import { filterRuns } from "./filter-runs";
import { presentRuns, withNames } from "./present-run";

/** Runs the caller may see, newest first. Ids sort by time, so they are the cursor. */
export async function listRuns(ctx: Ctx, { cursor, limit, ...filters }: ListRunsQuery): Promise<Page<Run>> {
  const actor = requireScope(ctx.actor, "read");
  const before = cursor === undefined ? null : decodeCursor(z.string(), cursor);
  const fits = await filterRuns(ctx, actor, filters);
  const older = before === null ? Prisma.empty : Prisma.sql`AND "id" < ${before}`;
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Run" WHERE ${fits} ${older} ORDER BY "id" DESC LIMIT ${limit + 1}`;
  const { items, nextCursor } = toPage(found, limit, (row) => row.id);
  const rows = await ctx.db.run.findMany({
    where: { id: { in: items.map((row) => row.id) } },
    orderBy: { id: "desc" },
    include: withNames,
  });
  return { items: await presentRuns(ctx, rows), nextCursor };
}
