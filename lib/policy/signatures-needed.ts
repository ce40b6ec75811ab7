import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { SkillClass } from "@/lib/skill-format/schema";
import { describeExtraPermissions, type ExtraPermission } from "./plain-sandbox";
import { hasScope } from "./require-scope";

const RANK: Record<SkillClass, number> = { safe: 0, mutating: 1, dangerous: 2 };

export type SigningPolicy = {
  soloMode: boolean;
  signaturesForDangerous: number;
  signaturesForMutating: number;
  ownerMayApproveSafe: boolean;
};

/** The highest of some classes; null entries are ignored. */
export function highestClass(...classes: (SkillClass | null | undefined)[]): SkillClass {
  return classes.reduce<SkillClass>((highest, next) => (next && RANK[next] > RANK[highest] ? next : highest), "safe");
}

/** Number of signatures to approve a version of this class. Solo mode needs one. */
export function signaturesNeeded(highest: SkillClass, policy: SigningPolicy): number {
  if (policy.soloMode || highest === "safe") return 1;
  return highest === "dangerous" ? policy.signaturesForDangerous : policy.signaturesForMutating;
}

type Signer = { userId: string; canReview: boolean; isPresent: boolean };

/** The signer's rights. `isPresent`: signed in by a browser, not by a token. */
export function signerOf(actor: PersonActor): Signer {
  return { userId: actor.userId, canReview: hasScope(actor, "review"), isPresent: actor.kind === "user" };
}

type SignerQuestion = {
  /** Highest of the declared, proposed and chosen class. */
  highest: SkillClass;
  policy: SigningPolicy;
  signer: Signer;
  /** People who wrote, imported or submitted the files. */
  authorIds: string[];
  owner: { kind: "user" | "org"; id: string | null };
  beyond: readonly ExtraPermission[];
  isPublic: boolean;
};

/**
 * The right by which a person signs. `review`: as a reviewer, a version of which they are neither owner nor author. `solo`: as
 * a reviewer in solo mode. `own`: as the owner, for their own use only.
 */
export const SigningRight = z.enum(["review", "solo", "own"]);
export type SigningRight = z.infer<typeof SigningRight>;

/**
 * The right by which this person may approve these terms, or why they may not. Outside solo mode reviewers sign only versions
 * that they neither own nor wrote. Signed-in owners (not tokens) approve a safe skill alone when it needs nothing beyond the
 * plain sandbox. Choosing a lower class changes nothing: the highest one counts.
 */
export function judgeSigner(question: SignerQuestion): { right: SigningRight } | { whyNot: string } {
  const { signer, policy, highest, owner } = question;
  const isOwner = owner.kind === "user" && owner.id === signer.userId;
  const isAuthor = question.authorIds.includes(signer.userId);
  if (signer.canReview && !isOwner && !isAuthor) return { right: "review" };
  if (signer.canReview && policy.soloMode) return { right: "solo" };
  const reasons = isOwner ? whyNotAlone(question) : [];
  if (isOwner && reasons.length === 0) return { right: "own" };
  if (isOwner) return { whyNot: `A reviewer other than you must approve it, because ${reasons.join(", and ")}.` };
  if (!signer.canReview) return { whyNot: "Only a reviewer may decide on this version." };
  return { whyNot: `You imported or wrote this ${highest} version. Another reviewer must approve it.` };
}

function whyNotAlone({ highest, policy, signer, beyond, isPublic }: SignerQuestion): string[] {
  return [
    ...(highest === "safe" ? [] : [`it is ${highest}`]),
    ...(beyond.length === 0 ? [] : [describeExtraPermissions(beyond)]),
    ...(isPublic ? ["other people can use it: it is public"] : []),
    ...(policy.ownerMayApproveSafe ? [] : ["the setting “Owners approve their own safe skills” is off"]),
    ...(signer.isPresent ? [] : ["a token cannot approve for its owner; sign in and approve it in the browser"]),
  ];
}

/** Why this person may not approve these terms; null when they may. */
export function whyNotSign(question: SignerQuestion): string | null {
  const judged = judgeSigner(question);
  return "right" in judged ? null : judged.whyNot;
}

/** Number of signatures for a parked run: two for a dangerous one outside solo mode, else one. */
export function runSignaturesNeeded(runClass: SkillClass, soloMode: boolean): number {
  return runClass === "dangerous" && !soloMode ? 2 : 1;
}

export type SigningRefusal = {
  rule: "agents-never-decide" | "dangerous-needs-two-others" | "reviewers-decide";
  reason: string;
};

type RunSignerQuestion = {
  class: SkillClass;
  signer: { userId: string; canReview: boolean; isAgent: boolean };
  callerId: string;
  /** True when solo mode was on when the run was parked and still is. */
  soloMode: boolean;
};

/** The caller or a reviewer decides on a mutating run; other reviewers on a dangerous one, unless in solo mode. */
export function whyNotSignRun({
  class: runClass,
  signer,
  callerId,
  soloMode,
}: RunSignerQuestion): SigningRefusal | null {
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
