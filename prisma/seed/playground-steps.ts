import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { agentOfConversation, ensurePersona } from "@/lib/agent/playground/conversation-agent";
import { PlaygroundEvent, PlaygroundLimits } from "@/lib/agent/playground/schema";
import { openAgentSession } from "@/lib/agent/sessions/open-agent-session";
import { recordEvent } from "@/lib/audit/record-event";
import { newId } from "@/lib/core/ids";
import { type Clock, later, type Step, skillId, type World } from "./world";

const Recorded = z.object({
  prompt: z.string(),
  answer: z.string(),
  tokens: z.number(),
  milliseconds: z.number(),
  events: z.array(PlaygroundEvent),
});

const MODEL = { endpointId: "recorded", endpointName: "Recorded", model: "scripted" };

/** One conversation of the playground, as the scripted model of the tests answered it, so that a visitor sees one without a model. */
export function playgroundSteps({ daysAgo }: Clock): Step[] {
  return [{ at: daysAgo(1, "16:40"), run: recordConversation }];
}

async function recordConversation(world: World, at: Date): Promise<void> {
  const text = await readFile(join(import.meta.dirname, "playground-answer.json"), "utf8");
  const { prompt, answer, tokens, milliseconds, events } = Recorded.parse(JSON.parse(text));
  const ctx = world.person("tomas", at);
  const { tx } = ctx;
  if (!tx || ctx.actor.kind !== "user") throw new Error("the seed runs in one transaction, as a person");
  const persona = await ensurePersona(tx, ctx, undefined);
  const who = { id: newId(), personaId: persona.id };
  const session = await openAgentSession(agentOfConversation(ctx, who), {
    client: `playground (${MODEL.model})`,
    surface: "playground",
  });
  const title = "What stands in this table, and is anything missing?";
  await tx.conversation.create({
    data: {
      ...who,
      ...MODEL,
      title,
      userId: ctx.actor.userId,
      sessionId: session.id,
      skills: JSON.stringify([{ skillId: skillId(world, "csv-summary"), versionDigest: null }]),
      limits: JSON.stringify(PlaygroundLimits.parse({})),
      createdAt: at,
      updatedAt: at,
    },
  });
  await tx.conversationTurn.create({
    data: {
      ...{ id: newId(), conversationId: who.id, seq: 1, prompt, answer, tokens },
      events: JSON.stringify(events),
      messages: JSON.stringify([
        { role: "user", content: prompt },
        { role: "assistant", content: answer },
      ]),
      state: "done",
      endReason: "done",
      at,
      finishedAt: later(at, milliseconds),
    },
  });
  await recordEvent(tx, ctx, {
    action: "playground.ask",
    summary: `asked ${MODEL.model} in the playground`,
    target: { kind: "conversation", id: who.id, name: title },
    sessionId: session.id,
    data: { model: MODEL.model, characters: prompt.length },
  });
}
