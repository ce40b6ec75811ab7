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
