import type { Me } from "@/lib/client/me";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Version } from "@/lib/skills/schema";

export type Approvals = {
  given: number;
  needed: number;
  /** Names of who signed, in the order in which they did. */
  by: string[];
  /** Whether this person has signed already. */
  isMine: boolean;
};

/**
 * The signatures of the round that is open, and how many are needed. An approved version without an open round has none
 * yet: those it serves under say nothing of other terms. The server counts for the highest class named so far; choosing
 * dangerous here asks for a second person with solo mode off.
 */
export function approvalsOf(
  { approvals, state }: Pick<Version, "approvals" | "state">,
  chosen: SkillClass,
  me: Me | undefined,
): Approvals {
  const more = chosen === "dangerous" && me?.soloMode === false ? 2 : 1;
  const round = state === "approved" && approvals.terms === null ? [] : approvals.by;
  return {
    given: round.length,
    needed: Math.max(approvals.needed, more),
    by: round.map(({ name }) => name),
    isMine: round.some(({ id }) => id === me?.user.id),
  };
}

/** Why the version has the class that is proposed, as a sentence. */
export function classReason({
  proposedClass,
  proposedClassReason,
}: Pick<Version, "proposedClass" | "proposedClassReason">): string {
  return `Proposed ${proposedClass}: ${proposedClassReason}.`;
}
