import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireModel } from "@/lib/settings/models/require-model";
import { openAgentSession } from "../sessions/open-agent-session";
import { assertMayTry } from "./assert-may-try";
import { agentOfConversation, ensurePersona } from "./conversation-agent";
import { presentConversations } from "./conversations";
import type { Conversation, CreateConversationInput } from "./schema";

/** `conflict` (rule `no-model-endpoint`) without a model endpoint; errors of `assertMayTry` for the chosen skills. */
export async function createConversation(ctx: Ctx, input: CreateConversationInput): Promise<Conversation> {
  const actor = requireScope(ctx.actor, "run");
  const model = await requireModel(ctx, input);
  for (const chosen of input.skills) await assertMayTry(ctx, chosen);
  const row = await inTransaction(ctx, async (tx, txCtx) => {
    const persona = await ensurePersona(tx, txCtx, input.personaId);
    const who = { id: newId(), personaId: persona.id };
    const session = await openAgentSession(agentOfConversation(txCtx, who), {
      client: `playground (${model.model})`,
      surface: "playground",
    });
    const created = await tx.conversation.create({
      data: {
        ...who,
        userId: actor.userId,
        title: "New conversation",
        endpointId: model.endpointId,
        endpointName: model.endpointName,
        model: model.model,
        sessionId: session.id,
        skills: JSON.stringify(input.skills),
        limits: JSON.stringify(input.limits),
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "playground.begin",
      summary: `started a conversation with ${model.model} about ${input.skills.length || "all offered"} skills`,
      target: { kind: "conversation", id: created.id, name: created.title },
      sessionId: session.id,
      data: { endpoint: model.endpointName, model: model.model, persona: persona.name, skills: input.skills },
    });
    return created;
  });
  const [conversation] = await presentConversations(ctx, [row]);
  if (!conversation) throw new Error("a conversation was made and not presented");
  return conversation;
}
