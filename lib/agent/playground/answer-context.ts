import type { ModelMessage } from "ai";
import type { Ctx } from "@/lib/db/context";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import type { Model } from "@/lib/settings/models/require-model";
import type { TriedSkill } from "./assert-may-try";
import type { PlaygroundEvent, PlaygroundLimits } from "./schema";

/** A playbook that runs in its own context. */
export type ForkedSkill = { id: string; name: string; digest: string; tools: string[] | null; playbook: string };

export type ToolLimit = Pick<ToolQuestion, "limit" | "denied">;

/** The context of one answer: of the agent a person talks to, or of its sub-agent. */
export type AnswerContext = {
  agent: Ctx;
  sessionId: string;
  surface: "playground" | "evaluation";
  model: Model;
  tried: TriedSkill[];
  budget: AnswerBudget;
  signal: AbortSignal;
  /** Id of the sub-agent; null for the main agent. */
  fork: string | null;
  /** Tool limit of a sub-agent, which no playbook replaces; null for the main agent. */
  within: ToolLimit | null;
  /** Starts a sub-agent for a playbook; null for a sub-agent, which cannot start another one. */
  startFork: ((context: AnswerContext, skill: ForkedSkill) => Promise<{ result: string; isError: boolean }>) | null;
  /** The person's request, which is all that a sub-agent gets of the conversation. */
  task: ModelMessage[];
  emit(event: PlaygroundEvent): void;
};

/** Limits and usage of one answer, shared with its sub-agents. */
export type AnswerBudget = {
  limits: PlaygroundLimits;
  deadline: AbortSignal;
  steps: number;
  tokens: number;
};

/** A new budget, whose time limit starts now. */
export function openBudget(limits: PlaygroundLimits): AnswerBudget {
  return { limits, deadline: AbortSignal.timeout(limits.seconds * 1000), steps: 0, tokens: 0 };
}
