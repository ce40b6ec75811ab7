import { UNISSUED_NAME, UNISSUED_SCOPES, unissuedTokenId } from "@/lib/auth/tokens/one-time-token";
import type { Ctx } from "@/lib/db/context";
import type { Conversation } from "@/lib/db/generated/client";
import { requirePerson } from "@/lib/policy/require-scope";

/**
 * Acts as the agent of a conversation: in its person's name, never with more than they have, and under its persona. The
 * token is not one that anybody holds.
 */
export function agentOfConversation(ctx: Ctx, conversation: Pick<Conversation, "id" | "personaId">): Ctx {
  const { userId, name, email, role } = requirePerson(ctx.actor);
  return {
    ...ctx,
    actor: {
      kind: "token",
      userId,
      name,
      email,
      role,
      tokenId: unissuedTokenId(conversation.id),
      tokenName: UNISSUED_NAME,
      scopes: [...UNISSUED_SCOPES],
      personaId: conversation.personaId,
    },
  };
}
