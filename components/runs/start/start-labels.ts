import type { Me } from "@/lib/client/me";
import type { Run } from "@/lib/client/runs";

type Rights = NonNullable<Me["rights"]>;
export type StartOutcome = Rights["runs"][Run["class"]]["outcome"];

/** What a click on Run leads to for this person; null while that is not known yet. */
export function startOutcome(me: Me | undefined, runClass: Run["class"]): StartOutcome | null {
  return me?.rights?.runs[runClass].outcome ?? null;
}

/** One line before a run: what happens when it is asked for. */
export function startWords(me: Me | undefined, runClass: Run["class"]): string | null {
  const right = me?.rights?.runs[runClass];
  if (!right) return null;
  switch (right.outcome) {
    case "start":
      return "Starts at once.";
    case "confirm":
      return "Asks you to confirm the exact arguments first.";
    case "park":
      return right.rule === "dangerous-needs-two-others"
        ? "Waits for two other people to sign it, then starts by itself."
        : "Waits for a person to decide, then starts by itself.";
    case "refuse":
      return `Is refused: ${right.reason}`;
  }
}
