import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Conversation as ConversationRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { presentConversations, presentTurn } from "./present-conversation";
import type { ConversationDetail } from "./schema";

/** The caller's own conversation; nobody reads another's, admins see its trace. */
export async function requireConversation(ctx: Ctx, id: string): Promise<ConversationRow> {
  const actor = requireScope(ctx.actor, "run");
  const row = await ctx.db.conversation.findUnique({ where: { id } });
  if (!row || row.userId !== actor.userId) throw new AppError("not_found", `You have no conversation “${id}”.`);
  return row;
}

/** A conversation with all that was said in it. */
export async function getConversation(ctx: Ctx, id: string): Promise<ConversationDetail> {
  const row = await requireConversation(ctx, id);
  const [conversation] = await presentConversations(ctx, [row]);
  if (!conversation) throw new Error("a conversation was read and not presented");
  const turns = await ctx.db.conversationTurn.findMany({ where: { conversationId: id }, orderBy: { seq: "asc" } });
  return {
    ...conversation,
    turns: turns.map((turn) => presentTurn(turn, { limits: conversation.limits, now: ctx.now() })),
  };
}
