import type { Tone } from "@/components/ui/badge";
import type { EvalAnswer, Evaluation } from "@/lib/agent/evals/schema";

export const evaluationBadges: Record<Evaluation["state"], { label: string; tone: Tone }> = {
  running: { label: "At work", tone: "accent" },
  done: { label: "Done", tone: "success" },
  cancelled: { label: "Stopped", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** "3 of 4" */
export function formatPassed({ passed, answers }: Evaluation["withSkill"]): string {
  return answers === 0 ? "–" : `${passed} of ${answers}`;
}

/** Why an answer counts for nothing; null when it came to its end. */
export function describeEnd({ reason, problem }: EvalAnswer): string | null {
  const words = {
    done: null,
    steps: "Ended at the limit of steps.",
    tokens: "Ended at the limit of tokens.",
    time: "Ended at the limit of time.",
    stopped: "Stopped.",
    error: "The model failed.",
  } as const;
  return problem ?? words[reason];
}
