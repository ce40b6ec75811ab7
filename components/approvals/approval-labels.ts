import type { ApprovalItem, Run } from "@/lib/runner/schema";

/** Who asks, from the program to the person it acts for. */
export function requesterLabel({ person, token, persona }: ApprovalItem["asks"]): string {
  if (persona) return `${token?.name ?? "A token"} as ${persona.name}, for ${person.name}`;
  if (token) return `${token.name}, for ${person.name}`;
  return person.name;
}

/** "1 more person has to sign", counted from what was given. */
export function missingSignaturesText({ given, needed }: { given: number; needed: number }): string {
  const missing = Math.max(0, needed - given);
  if (needed === 1) return "One person has to decide";
  if (given === 0) return `${needed} people have to sign`;
  return missing === 1 ? "One more person has to sign" : `${missing} more people have to sign`;
}

/** What a decision led to, by the state the run is in afterwards. */
export function decisionResultText(decision: "approve" | "reject", run: Pick<Run, "state" | "approval">): string {
  if (decision === "reject") return "You rejected it. It does not run, and whoever asked sees why.";
  if (run.state === "awaiting_approval" && run.approval) {
    return `Your signature counts. ${missingSignaturesText(run.approval)}.`;
  }
  if (run.state === "failed") return "You approved it, but the check before its start failed.";
  return "You approved it. It starts with exactly these arguments, once.";
}

const endings: Partial<Record<Run["state"], string>> = {
  rejected: "It was rejected",
  expired: "Nobody decided in time",
  cancelled: "It was taken back",
};

/** What became of a run that waits no longer. */
export function approvalOutcomeText(run: Pick<Run, "state" | "approval">): string {
  const last = run.approval?.by.at(-1);
  if (run.state === "rejected" && last) return `${last.person.name} rejected it: ${last.comment}`;
  const ending = endings[run.state];
  if (ending) return `${ending}.`;
  return last ? `${last.person.name} approved it, and it has started.` : "It has started.";
}
