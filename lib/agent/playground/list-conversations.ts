import { z } from "zod";
import { IsoTime, type Page, type PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { presentConversations } from "./present-conversation";
import type { Conversation } from "./schema";

const Position = z.tuple([IsoTime, z.string()]);

/** The caller's own conversations, the one that was last spoken in first. */
export async function listConversations(ctx: Ctx, { limit, cursor }: PageQuery): Promise<Page<Conversation>> {
  const { userId } = requireScope(ctx.actor, "run");
  const after = cursor === undefined ? null : decodeCursor(Position, cursor);
  const before =
    after === null
      ? {}
      : { OR: [{ updatedAt: { lt: new Date(after[0]) } }, { updatedAt: new Date(after[0]), id: { lt: after[1] } }] };
  const rows = await ctx.db.conversation.findMany({
    where: { userId, ...before },
    orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = toPage(rows, limit, (row) => [row.updatedAt.toISOString(), row.id]);
  return { items: await presentConversations(ctx, page.items), nextCursor: page.nextCursor };
}
