import { z } from "zod";
import type { User } from "@/lib/auth/schema";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { describeUser, lastSeenOf } from "./describe-user";

/** Everybody, in the order they were added. */
export async function listUsers(ctx: Ctx, query: PageQuery): Promise<Page<User>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.user.findMany({
    where: query.cursor === undefined ? {} : { id: { gt: decodeCursor(z.string(), query.cursor) } },
    orderBy: { id: "asc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  const seen = await lastSeenOf(
    ctx,
    page.items.map((row) => row.id),
  );
  return { items: page.items.map((row) => describeUser(row, seen.get(row.id) ?? null)), nextCursor: page.nextCursor };
}
