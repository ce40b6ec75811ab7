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

const EVERY_MS = 1_000;

/** Answers that may be given at once by this process. */
const MAX_ANSWERS = 8;
/** And to one person; answers go on when their page is left. */
const MAX_OWN_ANSWERS = 3;
const MAX_EVENTS = 2_000;
const MAX_TITLE = 80;
const MAX_TRACE = 8_192;

/**
 * Says something to the agent of a conversation and follows its answer, event by event, to an `end` that names the reason.
 * Policy and approvals are those of any agent; choices are checked again each time. `conflict` while another answer is being
 * given, `rate_limited` when eight are being given at once, or three to the caller. When `signal` is aborted it stops, and
 * the runs it waits for too. What has happened is kept on the way, so that one can come back to it.
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
    throw new AppError("conflict", "An answer is being given in this conversation; stop it or wait.");
  if (running.size >= MAX_ANSWERS) {
    throw new AppError("rate_limited", `${MAX_ANSWERS} answers are being given at once; wait for one to end.`, {
      retryAfterSeconds: 5,
    });
  }
  const own = [...running.values()].filter((answer) => answer.userId === userId).length;
  if (own >= MAX_OWN_ANSWERS) {
    throw new AppError("rate_limited", `${own} answers are being given to you; stop one or wait for it to end.`, {
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
    // Another process may have ended in the middle of one.
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

/** Stores what was said, and tells the steps of this answer what was asked and what came of it. */
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
      data: { input: turn.prompt.slice(0, MAX_TRACE), output: answer.slice(0, MAX_TRACE) },
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

/** Text that comes in pieces is kept as one. */
function appendEvent(events: PlaygroundEvent[], event: PlaygroundEvent): void {
  const last = events.at(-1);
  if (event.type === "text" && last?.type === "text" && last.fork === event.fork) {
    events[events.length - 1] = { ...last, text: last.text + event.text };
  } else if (events.length < MAX_EVENTS || event.type === "end") events.push(event);
}

/**
 * Keeps what has happened of an answer while it is being given, for whoever comes back to it: once a second at most, one
 * write after the other. Nothing is kept of one that has ended.
 */
function createProgressWriter(ctx: Ctx, turnId: string): (events: readonly PlaygroundEvent[]) => void {
  let isWriting = false;
  let next = 0;
  return (events) => {
    if (isWriting || ctx.now().getTime() < next) return;
    isWriting = true;
    const data = { events: JSON.stringify(events) };
    inTransaction(ctx, (tx) => tx.conversationTurn.updateMany({ where: { id: turnId, state: "running" }, data }))
      .catch((error: unknown) => logger.warn({ err: error, turnId }, "the progress of an answer was not kept"))
      .finally(() => {
        isWriting = false;
        next = ctx.now().getTime() + EVERY_MS;
      });
  };
}
