import { processStore } from "@/lib/core/process-store";

type RunningAnswer = { userId: string; stop: AbortController };

/** The answers that this process is giving now, by conversation. */
export function runningAnswers(): Map<string, RunningAnswer> {
  return processStore("playground-answers", () => new Map<string, RunningAnswer>());
}
