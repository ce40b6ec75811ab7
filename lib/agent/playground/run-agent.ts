import { dynamicTool, jsonSchema, type ModelMessage, stepCountIs, streamText, type ToolSet } from "ai";
import type { Model } from "@/lib/settings/models/require-model";
import { openModel } from "./open-model";
import { sayModelError } from "./say-model-error";
import type { EndReason, PlaygroundLimits } from "./schema";

export type AgentToolbox = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** What the model is told; whatever goes wrong is told to it too, and thrown for nothing but an end. */
  call(args: unknown, callId: string): Promise<string>;
};

type AgentRun = {
  model: Model;
  system: string;
  messages: ModelMessage[];
  tools: AgentToolbox[];
  limits: PlaygroundLimits;
  /** Ends it at any moment. */
  signal: AbortSignal;
  onText(text: string): void;
  /** A call of a tool that is not there, or with arguments that are no JSON. The model is told of it and goes on. */
  onBadCall(call: { id: string; tool: string; args: unknown; message: string }): void;
  onUsage(used: { steps: number; tokens: number }): void;
};

export type AgentOutcome = {
  text: string;
  /** What was said and done, to go on from. */
  messages: ModelMessage[];
  reason: EndReason;
  /** With `error`: what went wrong. */
  problem: string | null;
  steps: number;
  tokens: number;
};

/**
 * Lets a model answer with tools until it is done, a limit is hit or somebody stops it. Never throws: what a model’s server
 * does wrong is the reason `error` with a sentence. A model that begins an answer and never ends it is ended by the seconds.
 */
export async function runAgent(run: AgentRun): Promise<AgentOutcome> {
  const { limits, signal, onText, onBadCall, onUsage } = run;
  const timeout = AbortSignal.timeout(limits.seconds * 1000);
  const used = { text: "", steps: 0, tokens: 0 };
  let problem: string | null = null;
  let wantsMore = false;
  const result = streamText({
    model: openModel(run.model),
    ...(run.system === "" ? {} : { system: run.system }),
    messages: run.messages,
    tools: toolSet(run.tools),
    stopWhen: [stepCountIs(limits.steps), () => used.tokens >= limits.tokens],
    abortSignal: AbortSignal.any([signal, timeout]),
    maxRetries: 1,
    onError: () => {}, // Told by the stream.
  });
  try {
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") {
        used.text += part.text;
        onText(part.text);
      } else if (part.type === "tool-call" && part.invalid === true) {
        const message = part.error instanceof Error ? part.error.message : "It cannot be called so.";
        onBadCall({ id: part.toolCallId, tool: part.toolName, args: part.input, message });
      } else if (part.type === "start-step" && used.text !== "") {
        used.text = "";
      } else if (part.type === "finish-step") {
        used.steps++;
        used.tokens += part.usage.totalTokens ?? 0;
        wantsMore = part.finishReason === "tool-calls";
        onUsage({ steps: used.steps, tokens: used.tokens });
      } else if (part.type === "error") {
        problem = sayModelError(part.error);
      }
    }
  } catch (error) {
    problem ??= sayModelError(error);
  }
  const isEnded = signal.aborted || timeout.aborted || problem !== null;
  const response = isEnded ? null : await Promise.resolve(result.response).catch(() => null);
  const reason = whyEnded({ signal, timeout, problem, wantsMore, ...used }, limits);
  const said: ModelMessage[] = used.text === "" ? [] : [{ role: "assistant", content: used.text }];
  return { ...used, messages: response?.messages ?? said, reason, problem: reason === "error" ? problem : null };
}

type State = { signal: AbortSignal; timeout: AbortSignal; problem: string | null; wantsMore: boolean; tokens: number };

function whyEnded({ signal, timeout, problem, wantsMore, tokens }: State, limits: PlaygroundLimits): EndReason {
  if (signal.aborted) return "stopped";
  if (timeout.aborted) return "time";
  if (problem !== null) return "error";
  if (!wantsMore) return "done";
  return tokens >= limits.tokens ? "tokens" : "steps";
}

function toolSet(tools: AgentToolbox[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, call }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: (args, { toolCallId }) => call(args, toolCallId),
      }),
    ]),
  );
}
