import type { PlaygroundLimits } from "./schema";

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
