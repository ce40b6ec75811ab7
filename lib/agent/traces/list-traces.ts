import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { filterTraces } from "./filter-traces";
import { loadTraces } from "./load-traces";
import { presentTraces } from "./present-traces";
import type { ListTracesQuery, Trace } from "./schema";

/**
 * Uses of skills from every surface, newest first: runs, playbooks that agents loaded, and what they were refused. Runs and
 * steps are read where they are; nothing is written twice. Ids of both sort by time, so they are the cursor.
 */
export async function listTraces(ctx: Ctx, { cursor, limit, ...filters }: ListTracesQuery): Promise<Page<Trace>> {
  const actor = requireScope(ctx.actor, "read");
  const before = cursor === undefined ? null : decodeCursor(z.string(), cursor);
  const { runs, steps } = await filterTraces(ctx, actor, filters);
  const older = before === null ? Prisma.empty : Prisma.sql`AND "id" < ${before}`;
  const take = limit + 1;
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM (
      SELECT "id" FROM (SELECT "id" FROM "Run" WHERE ${runs} ${older} ORDER BY "id" DESC LIMIT ${take}) AS "runs"
      UNION ALL
      SELECT "id" FROM (SELECT "id" FROM "AgentStep" WHERE ${steps} ${older} ORDER BY "id" DESC LIMIT ${take}) AS "steps"
    ) AS "both" ORDER BY "id" DESC LIMIT ${take}`;
  const { items, nextCursor } = toPage(found, limit, ({ id }) => id);
  const ids = items.map(({ id }) => id);
  return { items: await presentTraces(ctx, await loadTraces(ctx, ids), ids), nextCursor };
}
