import type { SkillClass } from "@/lib/skill-format/schema";

/** Number of signatures for a parked run: two for a dangerous one outside solo mode, else one. */
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
  /** True when solo mode was on when the run was parked and still is. */
  soloMode: boolean;
};

/** The caller or a reviewer decides on a mutating run; other reviewers on a dangerous one, unless in solo mode. */
export function whyNotSignRun({ class: runClass, signer, callerId, soloMode }: SignerQuestion): SigningRefusal | null {
  if (signer.isAgent) {
    return { rule: "agents-never-decide", reason: "An agent’s token cannot decide; a person has to." };
  }
  const isCaller = signer.userId === callerId;
  if (isCaller && runClass === "dangerous" && !soloMode) {
    const reason = "You requested this dangerous run. Two other people must approve it.";
    return { rule: "dangerous-needs-two-others", reason };
  }
  if (isCaller || signer.canReview) return null;
  const reason = "Only the person who requested the run, a reviewer or an admin may decide on it.";
  return { rule: "reviewers-decide", reason };
}
