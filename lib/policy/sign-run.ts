import type { SkillClass } from "@/lib/skill-format/schema";

/** How many people must sign a run of this class that waits: two for a dangerous one, unless in solo mode. */
export function runSignaturesNeeded(runClass: SkillClass, soloMode: boolean): number {
  return runClass === "dangerous" && !soloMode ? 2 : 1;
}

export type SigningRefusal = {
  rule: "agents-never-decide" | "dangerous-needs-two-others" | "reviewers-decide";
  reason: string;
};

type SignerQuestion = {
  class: SkillClass;
  signer: { userId: string; canReview: boolean; isAgent: boolean };
  callerId: string;
  /** True when the run was parked in solo mode and solo mode still holds. */
  soloMode: boolean;
};

/**
 * Why somebody may not let a parked run through; null when they may. A mutating run is decided by whose agent asked for
 * it or by a reviewer; a dangerous one by reviewers who did not ask for it, unless in solo mode.
 */
export function whyNotSignRun({ class: runClass, signer, callerId, soloMode }: SignerQuestion): SigningRefusal | null {
  if (signer.isAgent) {
    return { rule: "agents-never-decide", reason: "An agent’s token never decides; a person has to." };
  }
  const isCaller = signer.userId === callerId;
  if (isCaller && runClass === "dangerous" && !soloMode) {
    const reason = "You asked for this dangerous run yourself; two other people have to sign it.";
    return { rule: "dangerous-needs-two-others", reason };
  }
  if (isCaller || signer.canReview) return null;
  const reason = "Only the person it was asked for, a reviewer or an admin may decide on this run.";
  return { rule: "reviewers-decide", reason };
}
