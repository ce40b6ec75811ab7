import type { EndReason, PlaygroundLimits } from "@/lib/client/playground";

/** The same in a few words, for a trace. */
export const reasonLabels: Record<EndReason, string> = {
  done: "Answered",
  steps: "Limit of steps reached",
  tokens: "Limit of tokens reached",
  time: "Limit of seconds reached",
  stopped: "Stopped",
  error: "Ended with an error",
};

type End = { reason: EndReason; message: string | null };

/** Why an answer ended, in a sentence; null when it simply was done. */
export function endWords({ reason, message }: End, limits: PlaygroundLimits): string | null {
  switch (reason) {
    case "done":
      return null;
    case "steps":
      return `It ended at its limit of ${count(limits.steps, "step")}.`;
    case "tokens":
      return `It ended at its limit of ${count(limits.tokens, "token")}.`;
    case "time":
      return `It ended at its limit of ${count(limits.seconds, "second")}.`;
    case "stopped":
      return "It was stopped, and the runs it waited for too.";
    case "error":
      return message ?? "It ended with an error that nobody described.";
  }
}

/** Whether the end is one that a limit made: choosing higher ones would let it go on. */
export function isLimit(reason: EndReason): boolean {
  return reason === "steps" || reason === "tokens" || reason === "time";
}

/** What a skill's own list leaves to its agent. */
export function toolsWords(tools: readonly string[] | null): string {
  if (tools === null) return "every tool it is offered";
  if (tools.length === 0) return "Skillgate’s own tools only";
  return tools.join(", ");
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString("en-GB")} ${noun}${value === 1 ? "" : "s"}`;
}
