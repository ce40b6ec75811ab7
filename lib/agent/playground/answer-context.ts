import type { ModelMessage } from "ai";
import type { Ctx } from "@/lib/db/context";
import type { ToolQuestion } from "@/lib/policy/tool-limit/decide-tool";
import type { Model } from "@/lib/settings/models/require-model";
import type { TriedSkill } from "./assert-may-try";
import type { PlaygroundEvent, PlaygroundLimits } from "./schema";

/** A playbook that wants a context of its own. */
export type ForkedSkill = { id: string; name: string; digest: string; tools: string[] | null; playbook: string };

export type ToolLimit = Pick<ToolQuestion, "limit" | "denied">;

/** An agent that is answering: the one a person talks to, or a sub-agent of its own. */
export type AnswerContext = {
  /** Acts as the agent. */
  agent: Ctx;
  sessionId: string;
  surface: "playground" | "evaluation";
  model: Model;
  tried: TriedSkill[];
  /** Shared by the agent and its sub-agents. */
  budget: AnswerBudget;
  signal: AbortSignal;
  /** The sub-agent this is, or null. */
  fork: string | null;
  /** The list a sub-agent was started under, which no playbook that it loads itself replaces; null for no sub-agent. */
  within: ToolLimit | null;
  /** Carries a playbook out in a context of its own; null for a sub-agent, which starts no other. */
  startFork: ((context: AnswerContext, skill: ForkedSkill) => Promise<{ result: string; isError: boolean }>) | null;
  /** What the person asked; a sub-agent is told of nothing else. */
  task: ModelMessage[];
  emit(event: PlaygroundEvent): void;
};

/** What one answer may cost and has cost; its sub-agents draw on the same. */
export type AnswerBudget = {
  limits: PlaygroundLimits;
  /** Aborted when the seconds are over. */
  deadline: AbortSignal;
  steps: number;
  tokens: number;
};

/** Opens the budget of an answer; its seconds begin now. */
export function openBudget(limits: PlaygroundLimits): AnswerBudget {
  return { limits, deadline: AbortSignal.timeout(limits.seconds * 1000), steps: 0, tokens: 0 };
}
