/** One use of a skill, as an optimiser sees it: what was asked, what came of it, and what a person said of that. */
export type SkillTrace = {
  id: string;
  at: Date;
  surface: string;
  input: string;
  output: string;
  /** -1, 0 or 1. */
  rating: number;
  outcome: string;
};
