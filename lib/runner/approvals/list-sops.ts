import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import type { Sop } from "@/lib/runner/schema";
import { presentSops } from "./present-sop";

/** The registered procedures, newest first. Everybody may read them: a run names one. */
export async function listSops(ctx: Ctx, query: PageQuery): Promise<Page<Sop>> {
  if (!hasScope(ctx.actor, "admin")) requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } };
  const rows = await ctx.db.sop.findMany({
    where: { deletedAt: null, ...before },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentSops(ctx, page.items), nextCursor: page.nextCursor };
}
