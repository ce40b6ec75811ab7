import { APICallError, dynamicTool, jsonSchema, type ModelMessage, RetryError, streamText, type ToolSet } from "ai";
import { refusalIn } from "@/lib/core/outgoing/outgoing-policy";
import type { Model } from "@/lib/settings/models/require-model";
import { estimateTokens } from "../preamble/measure-context";
import type { AnswerBudget } from "./answer-context";
import { openModel } from "./open-model";
import type { EndReason } from "./schema";

const MAX_SHOWN_CHARS = 300;
const CHARACTERS_PER_TOKEN = 4;

export type AgentToolbox = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** Returns the text for the model, also for errors; throws only to end the answer. */
  call(args: unknown, callId: string): Promise<string>;
};

export type AgentRun = {
  model: Model;
  system: string;
  messages: ModelMessage[];
  tools: AgentToolbox[];
  budget: AnswerBudget;
  signal: AbortSignal;
  onText?(text: string): void;
  /** For a call of an unknown tool or with invalid JSON. The model gets the error and continues. */
  onBadCall?(call: { id: string; tool: string; args: unknown; message: string }): void;
  /** Called after each step with the usage so far, including sub-agents. */
  onUsage?(used: { steps: number; tokens: number }): void;
};

export type AgentOutcome = {
  text: string;
  /** Messages to continue the conversation from. */
  messages: ModelMessage[];
  reason: EndReason;
  problem: string | null;
  /** Including sub-agents. */
  steps: number;
  tokens: number;
};

/**
 * Lets a model answer with tools until it is done, reaches a limit or is stopped, and waits for running tools. Never throws:
 * errors of the model’s server become the reason `error` with a sentence. The time or token limit ends an answer that never
 * stops. Tokens that a server does not count are estimated, four characters per token.
 */
export async function runAgent(run: AgentRun): Promise<AgentOutcome> {
  const { budget, signal, onText, onBadCall, onUsage } = run;
  const { limits, deadline } = budget;
  const before = { steps: budget.steps, tokens: budget.tokens };
  const tooLong = new AbortController();
  const runningTools = new Set<Promise<unknown>>();
  let text = "";
  let asked = "";
  let streamed = 0;
  let problem: string | null = null;
  let wantsMore = false;
  const stream = (delta: string) => {
    streamed += delta.length;
    if (budget.tokens + streamed / CHARACTERS_PER_TOKEN > limits.tokens) tooLong.abort();
  };
  const abortSignal = AbortSignal.any([signal, deadline, tooLong.signal]);
  const result = streamText({
    model: openModel(run.model),
    ...(run.system === "" ? {} : { system: run.system }),
    messages: run.messages,
    tools: toolSet(run.tools, runningTools),
    stopWhen: () => budget.steps >= limits.steps || budget.tokens >= limits.tokens,
    abortSignal,
    maxRetries: 1,
    onError: () => {}, // The stream reports errors.
  });
  try {
    for await (const part of untilAborted(result.fullStream, abortSignal)) {
      if (part.type === "text-delta") {
        text += part.text;
        onText?.(part.text);
        stream(part.text);
      } else if (part.type === "reasoning-delta") stream(part.text);
      else if (part.type === "tool-input-delta") stream(part.delta);
      else if (part.type === "tool-call" && part.invalid === true) {
        const message = part.error instanceof Error ? part.error.message : "The call is invalid.";
        onBadCall?.({ id: part.toolCallId, tool: part.toolName, args: part.input, message });
      } else if (part.type === "start-step") {
        asked = typeof part.request.body === "string" ? part.request.body : JSON.stringify(part.request.body ?? "");
        text = "";
        streamed = 0;
      } else if (part.type === "finish-step") {
        budget.steps++;
        budget.tokens += part.usage.totalTokens || estimateTokens(asked) + Math.ceil(streamed / CHARACTERS_PER_TOKEN);
        streamed = 0;
        wantsMore = part.finishReason === "tool-calls";
        onUsage?.({ steps: budget.steps - before.steps, tokens: budget.tokens - before.tokens });
      } else if (part.type === "error") {
        problem = sayModelError(part.error);
      }
    }
  } catch (error) {
    problem ??= sayModelError(error);
  }
  await Promise.allSettled(runningTools);
  budget.tokens += Math.ceil(streamed / CHARACTERS_PER_TOKEN);
  const isCut = tooLong.signal.aborted;
  const isEnded = signal.aborted || deadline.aborted || isCut || problem !== null;
  const response = isEnded ? null : await Promise.resolve(result.response).catch(() => null);
  const reason = whyEnded({ signal, problem, wantsMore, isCut, budget });
  const said: ModelMessage[] = text === "" ? [] : [{ role: "assistant", content: text }];
  const used = { steps: budget.steps - before.steps, tokens: budget.tokens - before.tokens };
  return { text, ...used, messages: response?.messages ?? said, reason, problem: reason === "error" ? problem : null };
}

/** Ends on abort: an aborted stream of the package may not end, since parts behind the last one never arrive. */
async function* untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const parts = stream[Symbol.asyncIterator]();
  const ended = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  for (;;) {
    const next = await Promise.race([ended, parts.next()]);
    if (next === null || next.done) return;
    yield next.value;
  }
}

type State = { signal: AbortSignal; problem: string | null; wantsMore: boolean; isCut: boolean; budget: AnswerBudget };

function whyEnded({ signal, problem, wantsMore, isCut, budget }: State): EndReason {
  if (signal.aborted) return "stopped";
  if (budget.deadline.aborted) return "time";
  if (isCut) return "tokens";
  if (problem !== null) return "error";
  if (!wantsMore) return "done";
  return budget.tokens >= budget.limits.tokens ? "tokens" : "steps";
}

function toolSet(tools: AgentToolbox[], running: Set<Promise<unknown>>): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, call }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: (args, { toolCallId }) => {
          const answer = call(args, toolCallId);
          running.add(answer);
          return answer.finally(() => running.delete(answer));
        },
      }),
    ]),
  );
}

function sayModelError(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (APICallError.isInstance(last) && last.statusCode !== undefined && last.statusCode >= 300) {
    const wait = last.responseHeaders?.["retry-after"];
    const hint = hintFor(last.statusCode, wait);
    const said = last.message.trim();
    return `The model’s server answered ${last.statusCode}${hint}${said ? `: ${said.slice(0, MAX_SHOWN_CHARS)}` : "."}`;
  }
  const refusal = refusalIn(last);
  if (refusal !== null) return refusal.message;
  if (!(last instanceof Error)) return "The model’s server sent a malformed answer.";
  const cause = last.cause instanceof Error ? ` (${last.cause.message.slice(0, MAX_SHOWN_CHARS)})` : "";
  return `The model’s server failed: ${last.message.slice(0, MAX_SHOWN_CHARS)}${cause}`;
}

function hintFor(status: number, wait: string | undefined): string {
  if (status === 401 || status === 403) return " (the key is not accepted; an admin sets it under Settings, Models)";
  if (status === 429) return wait ? ` (too many requests; it asks to wait ${wait} s)` : " (too many requests)";
  return status >= 500 ? " (an error of that server; try again)" : "";
}
