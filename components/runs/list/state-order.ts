import { stateLooks } from "@/components/ui/state-chip";
import type { RunState, RunSummary } from "@/lib/client/runs";

/** From the bottom of a bar up, and in words: what went well, what did not, what is under way, what never ran. */
export const stateOrder: readonly RunState[] = [
  "succeeded",
  "failed",
  "running",
  "queued",
  "awaiting_approval",
  "cancelled",
  "rejected",
  "expired",
];

/** "12 runs: 10 succeeded, 2 failed". */
export function countWords(states: RunSummary["states"]): string {
  const total = stateOrder.reduce((sum, state) => sum + (states[state] ?? 0), 0);
  if (total === 0) return "no runs";
  const parts = stateOrder.flatMap((state) => {
    const count = states[state] ?? 0;
    return count === 0 ? [] : [`${count} ${stateLooks[state].label.toLowerCase()}`];
  });
  return `${total} ${total === 1 ? "run" : "runs"}: ${parts.join(", ")}`;
}
