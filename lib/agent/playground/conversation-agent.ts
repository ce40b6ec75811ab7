import { recordEvent } from "@/lib/audit/record-event";
import { getPersonaRow } from "@/lib/auth/personas";

import { UNISSUED_NAME, UNISSUED_SCOPES, unissuedTokenId } from "@/lib/auth/tokens/one-time-token";
import { newId } from "@/lib/core/ids";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Conversation, Persona } from "@/lib/db/generated/client";
import { requirePerson } from "@/lib/policy/require-scope";

/** Acts in the person's name with at most their rights, under the conversation's persona. Its token is never issued. */
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

const NAME = "playground";

/** The chosen persona, else “playground”, created on first use. Under it, runs that change data wait for approval. */
export async function ensurePersona(tx: Tx, ctx: Ctx, chosenId: string | undefined): Promise<Persona> {
  if (chosenId !== undefined) return getPersonaRow(ctx, chosenId);
  const known = await tx.persona.findUnique({ where: { name: NAME } });
  if (known) return known;
  const at = ctx.now();
  const permissionMode = "mutating-with-confirm";
  const row = await tx.persona.create({
    data: { id: newId(), name: NAME, permissionMode, allow: "[]", deny: "[]", createdAt: at, updatedAt: at },
  });
  await recordEvent(tx, ctx, {
    action: "persona.create",
    summary: `added the persona “${NAME}” (${permissionMode}), for the playground`,
    target: { kind: "persona", id: row.id, name: NAME },
    data: { permissionMode, allow: [], deny: [] },
  });
  return row;
}
