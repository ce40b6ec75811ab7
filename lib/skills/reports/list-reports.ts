import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { presentReports } from "./present-reports";
import type { ListReportsQuery, Report } from "./schema";

/** What people reported, newest first; for admins. */
export async function listReports(ctx: Ctx, query: ListReportsQuery): Promise<Page<Report>> {
  requireScope(ctx.actor, "admin");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.report.findMany({
    where: {
      state: query.state,
      ...(query.skill ? { skillId: query.skill } : {}),
      ...(before === null ? {} : { id: { lt: before } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, ({ id }) => id);
  return { items: await presentReports(ctx, page.items), nextCursor: page.nextCursor };
}
