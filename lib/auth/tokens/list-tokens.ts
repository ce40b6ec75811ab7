import { z } from "zod";
import type { ApiToken, ListTokensQuery } from "@/lib/auth/schema";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { describeToken, tokenInclude } from "./describe-token";

/** Tokens that are not revoked, newest first: the caller's own, or, for admins, somebody's or everybody's. */
export async function listTokens(ctx: Ctx, query: ListTokensQuery): Promise<Page<ApiToken>> {
  const actor = requireScope(ctx.actor, "read");
  const userId = query.all ? undefined : (query.user ?? actor.userId);
  if (userId !== actor.userId) requireScope(actor, "admin");
  const rows = await ctx.db.apiToken.findMany({
    where: {
      revokedAt: null,
      ...(userId === undefined ? {} : { userId }),
      ...(query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } }),
    },
    include: tokenInclude,
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: page.items.map(describeToken), nextCursor: page.nextCursor };
}
