import { z } from "zod";
import type { SessionInfo } from "@/lib/auth/schema";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: Ctx, query: PageQuery): Promise<Page<SessionInfo>> {
  const { actor } = ctx;
  const { userId } = requireScope(actor, "read");
  const rows = await ctx.db.session.findMany({
    where: {
      userId,
      revokedAt: null,
      expiresAt: { gt: ctx.now() },
      ...(query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  const items = page.items.map((row) => ({
    id: row.id,
    current: actor.kind === "user" && actor.sessionId === row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    userAgent: row.userAgent,
    address: row.address,
  }));
  return { items, nextCursor: page.nextCursor };
}
