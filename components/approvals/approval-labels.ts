import type { ApprovalItem, Run } from "@/lib/runner/schema";

export function requesterLabel({ person, token, persona }: ApprovalItem["asks"]): string {
  if (persona) return `${token?.name ?? "A token"} as ${persona.name}, for ${person.name}`;
  if (token) return `${token.name}, for ${person.name}`;
  return person.name;
}

/** "Needs 1 more approval", from the approvals given so far. */
export function missingSignaturesText({ given, needed }: { given: number; needed: number }): string {
  const missing = Math.max(0, needed - given);
  if (needed === 1) return "Needs 1 approval";
  if (given === 0) return `Needs ${needed} approvals`;
  return missing === 1 ? "Needs 1 more approval" : `Needs ${missing} more approvals`;
}

export function decisionResultText(decision: "approve" | "reject", run: Pick<Run, "state" | "approval">): string {
  if (decision === "reject") return "You rejected this run. The requester sees your comment.";
  if (run.state === "awaiting_approval" && run.approval) {
    return `You approved this run. ${missingSignaturesText(run.approval)}.`;
  }
  if (run.state === "failed") return "You approved this run, but the check before its start failed.";
  return "You approved this run. It runs once, with exactly these arguments.";
}

const endings: Partial<Record<Run["state"], string>> = {
  rejected: "rejected",
  expired: "expired without a decision",
  cancelled: "cancelled",
};

export function approvalOutcomeText(run: Pick<Run, "state" | "approval">): string {
  const last = run.approval?.by.at(-1);
  if (run.state === "rejected" && last) return `rejected by ${last.person.name}: ${last.comment}`;
  const ending = endings[run.state];
  if (ending) return `${ending}.`;
  return last ? `approved by ${last.person.name} and started.` : "started.";
}
