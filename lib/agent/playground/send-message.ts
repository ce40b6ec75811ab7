import type { ModelMessage } from "ai";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { createRedactor } from "@/lib/core/redact/create-redactor";
import { onWake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Conversation, ConversationTurn } from "@/lib/db/generated/client";
import { requireModel } from "@/lib/settings/models/require-model";
import { type AnswerContext, openBudget } from "./answer-context";
import { assertMayTry, type TriedSkill } from "./assert-may-try";
import { agentOfConversation } from "./conversation-agent";
import { conversationTools, converse } from "./conversation-tools";
import { chosenOf, requireConversation } from "./conversations";
import { forkAgent } from "./fork-agent";
import type { AgentOutcome } from "./run-agent";
import { type PlaygroundEvent, PlaygroundLimits, type SendMessageInput } from "./schema";
import { runningAnswers } from "./stop-conversation";
import { systemPrompt } from "./system-prompt";

const PROGRESS_INTERVAL_MS = 1_000;

const MAX_ANSWERS = 8;
/** Answers in progress per person; they continue when the page is closed. */
const MAX_OWN_ANSWERS = 3;
const MAX_EVENTS = 2_000;
const MAX_TITLE = 80;
const MAX_TRACE_CHARS = 8_192;

/**
 * Sends a message to a conversation's agent and emits the events of its answer, up to an `end` with the reason. Policy and
 * approvals are those of any agent; the chosen skills are checked again. `conflict` while another answer is in progress,
 * `rate_limited` with eight in progress, or three of the caller. Aborting `signal` stops the answer and the runs it waits for.
 * Progress is stored, so that a person can return to it.
 */
export async function sendMessage(
  ctx: Ctx,
  id: string,
  { text }: SendMessageInput,
  { signal, onEvent }: { signal: AbortSignal; onEvent(event: PlaygroundEvent): void },
): Promise<void> {
  const conversation = await requireConversation(ctx, id);
  const model = await requireModel(ctx, conversation);
  const tried: TriedSkill[] = [];
  for (const chosen of chosenOf(conversation)) tried.push(await assertMayTry(ctx, chosen));
  const stop = reserveAnswer(conversation);
  const unlisten = onWake(`stop:${id}`, () => stop.abort());
  try {
    const turn = await beginTurn(ctx, conversation, text);
    const redactor = model.apiKey === null ? null : createRedactor([{ credential: "model key", value: model.apiKey }]);
    const events: PlaygroundEvent[] = [];
    const note = createProgressWriter(ctx, turn.id);
    const emit = (event: PlaygroundEvent) => {
      const shown = (redactor?.value(event) ?? event) as PlaygroundEvent;
      appendEvent(events, shown);
      note(events);
      onEvent(shown);
    };
    const agent = agentOfConversation(ctx, conversation);
    const task: ModelMessage[] = [{ role: "user", content: text }];
    const budget = openBudget(parseJsonColumn(PlaygroundLimits, conversation.limits));
    const either = AbortSignal.any([signal, stop.signal]);
    const context: AnswerContext = {
      ...{ agent, sessionId: conversation.sessionId, surface: "playground" },
      ...{ model, tried, budget, signal: either, task, emit },
      ...{ fork: null, within: null, startFork: forkAgent },
    };
    const tools = await conversationTools(context);
    const system = await systemPrompt(agent, tried, text);
    emit({ type: "preamble", fork: null, text: system, tools: tools.map(({ name }) => name) });
    const messages = [...(await earlierMessages(ctx, id, turn.seq)), ...task];
    const outcome = await converse(context, { system, tools, messages });
    const message = outcome.problem === null ? null : (redactor?.text(outcome.problem) ?? outcome.problem);
    const end: PlaygroundEvent = { type: "end", fork: null, reason: outcome.reason, message };
    appendEvent(events, end);
    await endTurn(ctx, { conversation, turn, outcome, events, redact: (value) => redactor?.value(value) ?? value });
    onEvent(end);
  } finally {
    unlisten();
    runningAnswers().delete(id);
  }
}

function reserveAnswer({ id, userId }: Conversation): AbortController {
  const running = runningAnswers();
  if (running.has(id))
    throw new AppError("conflict", "An answer is in progress in this conversation. Stop it or wait.");
  if (running.size >= MAX_ANSWERS) {
    throw new AppError("rate_limited", `${MAX_ANSWERS} answers are in progress. Wait until one ends.`, {
      retryAfterSeconds: 5,
    });
  }
  const own = [...running.values()].filter((answer) => answer.userId === userId).length;
  if (own >= MAX_OWN_ANSWERS) {
    throw new AppError("rate_limited", `${own} of your answers are in progress. Stop one, or wait until one ends.`, {
      retryAfterSeconds: 5,
    });
  }
  const stop = new AbortController();
  running.set(id, { userId, stop });
  return stop;
}

async function beginTurn(ctx: Ctx, conversation: Conversation, prompt: string): Promise<ConversationTurn> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const last = await tx.conversationTurn.findFirst({
      where: { conversationId: conversation.id },
      orderBy: { seq: "desc" },
    });
    // The process of an earlier answer may have ended.
    await tx.conversationTurn.updateMany({
      where: { conversationId: conversation.id, state: "running" },
      data: { state: "failed", endReason: "error", finishedAt: ctx.now() },
    });
    const title = last ? conversation.title : prompt.replaceAll(/\s+/g, " ").slice(0, MAX_TITLE);
    await tx.conversation.update({ where: { id: conversation.id }, data: { updatedAt: ctx.now(), title } });
    await recordEvent(tx, txCtx, {
      action: "playground.ask",
      summary: `asked ${conversation.model} in the playground`,
      target: { kind: "conversation", id: conversation.id, name: title },
      sessionId: conversation.sessionId,
      data: { model: conversation.model, characters: prompt.length },
    });
    return tx.conversationTurn.create({
      data: {
        id: newId(),
        conversationId: conversation.id,
        seq: (last?.seq ?? 0) + 1,
        prompt,
        answer: "",
        events: "[]",
        messages: "[]",
        state: "running",
        at: ctx.now(),
      },
    });
  });
}

type Ending = {
  conversation: Conversation;
  turn: ConversationTurn;
  outcome: AgentOutcome;
  events: PlaygroundEvent[];
  redact(value: unknown): unknown;
};

async function endTurn(ctx: Ctx, { conversation, turn, outcome, events, redact }: Ending): Promise<void> {
  const { text, messages, reason, tokens } = outcome;
  const answer = String(redact(text));
  const said: ModelMessage[] = [{ role: "user", content: turn.prompt }, ...messages];
  await inTransaction(ctx, async (tx) => {
    await tx.conversationTurn.updateMany({
      where: { id: turn.id },
      data: {
        answer,
        events: JSON.stringify(events),
        messages: JSON.stringify(redact(said)),
        state: reason === "stopped" ? "stopped" : reason === "error" ? "failed" : "done",
        endReason: reason,
        tokens,
        finishedAt: ctx.now(),
      },
    });
    const { sessionId } = conversation;
    const ofAnswer = { sessionId, at: { gte: turn.at } };
    await tx.agentStep.updateMany({ where: ofAnswer, data: { surface: "playground" } });
    await tx.agentStep.updateMany({
      where: { ...ofAnswer, kind: "loaded" },
      data: { input: turn.prompt.slice(0, MAX_TRACE_CHARS), output: answer.slice(0, MAX_TRACE_CHARS) },
    });
  });
}

const Messages = z.array(
  z.custom<ModelMessage>((value) => typeof value === "object" && value !== null && "role" in value),
);

async function earlierMessages(ctx: Ctx, conversationId: string, seq: number): Promise<ModelMessage[]> {
  const turns = await ctx.db.conversationTurn.findMany({
    where: { conversationId, seq: { lt: seq }, state: { not: "running" } },
    orderBy: { seq: "asc" },
  });
  return turns.flatMap(({ messages }) => parseJsonColumn(Messages, messages));
}

/** Joins adjacent text events. */
function appendEvent(events: PlaygroundEvent[], event: PlaygroundEvent): void {
  const last = events.at(-1);
  if (event.type === "text" && last?.type === "text" && last.fork === event.fork) {
    events[events.length - 1] = { ...last, text: last.text + event.text };
  } else if (events.length < MAX_EVENTS || event.type === "end") events.push(event);
}

/** Stores the progress of a running answer, at most once per second and one write at a time. */
function createProgressWriter(ctx: Ctx, turnId: string): (events: readonly PlaygroundEvent[]) => void {
  let isWriting = false;
  let next = 0;
  return (events) => {
    if (isWriting || ctx.now().getTime() < next) return;
    isWriting = true;
    const data = { events: JSON.stringify(events) };
    inTransaction(ctx, (tx) => tx.conversationTurn.updateMany({ where: { id: turnId, state: "running" }, data }))
      .catch((error: unknown) => logger.warn({ err: error, turnId }, "the progress of an answer was not stored"))
      .finally(() => {
        isWriting = false;
        next = ctx.now().getTime() + PROGRESS_INTERVAL_MS;
      });
  };
}
