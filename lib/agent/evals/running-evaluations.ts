import { processStore } from "@/lib/core/process-store";

/** The evaluations that this process works on, by id. */
export function runningEvaluations(): Map<string, AbortController> {
  return processStore("evaluations", () => new Map<string, AbortController>());
}
