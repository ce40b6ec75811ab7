import type { Tone } from "@/components/ui/badge";
import type { EvalAnswer, Evaluation } from "@/lib/agent/evals/schema";

export const evaluationBadges: Record<Evaluation["state"], { label: string; tone: Tone }> = {
  running: { label: "Running", tone: "accent" },
  done: { label: "Done", tone: "success" },
  cancelled: { label: "Stopped", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
};

/** "3 of 4" */
export function formatPassed({ passed, answers }: Evaluation["withSkill"]): string {
  return answers === 0 ? "–" : `${passed} of ${answers}`;
}

/** Why an answer does not count; null when it is complete. */
export function describeEnd({ reason, problem }: EvalAnswer): string | null {
  const words = {
    done: null,
    steps: "The step limit was reached.",
    tokens: "The token limit was reached.",
    time: "The time limit was reached.",
    stopped: "The evaluation was stopped.",
    error: "The model failed.",
  } as const;
  return problem ?? words[reason];
}
