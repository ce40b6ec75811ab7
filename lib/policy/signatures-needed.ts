import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { SkillClass } from "@/lib/skill-format/schema";
import { describeExtraPermissions, type ExtraPermission } from "./plain-sandbox";
import { hasScope } from "./require-scope";

const RANK: Record<SkillClass, number> = { safe: 0, mutating: 1, dangerous: 2 };

/** The settings that say who has to sign. */
export type SigningPolicy = {
  soloMode: boolean;
  signaturesForDangerous: number;
  signaturesForMutating: number;
  ownerMayApproveSafe: boolean;
};

/** The most demanding of some classes; null entries are left out. */
export function highestClass(...classes: (SkillClass | null | undefined)[]): SkillClass {
  return classes.reduce<SkillClass>((highest, next) => (next && RANK[next] > RANK[highest] ? next : highest), "safe");
}

/** How many people must approve a version of this class. In solo mode one person is enough for everything. */
export function signaturesNeeded(highest: SkillClass, policy: SigningPolicy): number {
  if (policy.soloMode || highest === "safe") return 1;
  return highest === "dangerous" ? policy.signaturesForDangerous : policy.signaturesForMutating;
}

type Signer = { userId: string; canReview: boolean; isPresent: boolean };

/** What counts of somebody who wants to sign: their scopes, and whether they are there themselves, not by a token. */
export function signerOf(actor: PersonActor): Signer {
  return { userId: actor.userId, canReview: hasScope(actor, "review"), isPresent: actor.kind === "user" };
}

type SignerQuestion = {
  /** Of declared, proposed and chosen class. */
  highest: SkillClass;
  policy: SigningPolicy;
  signer: Signer;
  /** Who wrote, brought in or handed in the bytes. */
  authorIds: string[];
  owner: { kind: "user" | "org"; id: string | null };
  /** What the terms give, and the files ask for, beyond the plain sandbox. */
  beyond: readonly ExtraPermission[];
  /** Whether other people can use the skill. */
  isPublic: boolean;
};

/**
 * On what right one person signs. `review`: with the review role, a version that is neither theirs nor brought in by them.
 * `solo`: with the review role, in solo mode. `own`: as the owner, for their own use alone.
 */
export const SigningRight = z.enum(["review", "solo", "own"]);
export type SigningRight = z.infer<typeof SigningRight>;

/**
 * On what right this person may approve these terms, or why they may not. With solo mode off a reviewer signs what is
 * neither theirs nor brought in by them. An owner who is signed in, and not there by token, approves a safe skill alone when
 * it asks for nothing and gets nothing beyond the plain sandbox. Lowering a class changes nothing: the higher one counts.
 */
export function judgeSigner(question: SignerQuestion): { right: SigningRight } | { whyNot: string } {
  const { signer, policy, highest, owner } = question;
  const isOwner = owner.kind === "user" && owner.id === signer.userId;
  const isAuthor = question.authorIds.includes(signer.userId);
  if (signer.canReview && !isOwner && !isAuthor) return { right: "review" };
  if (signer.canReview && policy.soloMode) return { right: "solo" };
  const reasons = isOwner ? whyNotAlone(question) : [];
  if (isOwner && reasons.length === 0) return { right: "own" };
  if (isOwner) return { whyNot: `A reviewer other than you has to sign, because ${reasons.join(", and ")}.` };
  if (!signer.canReview) return { whyNot: "Only a reviewer may decide on this version." };
  return { whyNot: `You brought in this ${highest} version yourself; somebody else has to decide.` };
}

/** What makes a second person necessary for an owner; empty when nothing does. */
function whyNotAlone({ highest, policy, signer, beyond, isPublic }: SignerQuestion): string[] {
  return [
    ...(highest === "safe" ? [] : [`it is ${highest}`]),
    ...(beyond.length === 0 ? [] : [describeExtraPermissions(beyond)]),
    ...(isPublic ? ["other people can use it: it is public"] : []),
    ...(policy.ownerMayApproveSafe
      ? []
      : ["owners do not approve their own skills here (setting ownerMayApproveSafe)"]),
    ...(signer.isPresent ? [] : ["a token does not approve for its owner; you can sign in and approve it there"]),
  ];
}

/** Why this person may not approve these terms; null when they may. */
export function whyNotSign(question: SignerQuestion): string | null {
  const judged = judgeSigner(question);
  return "right" in judged ? null : judged.whyNot;
}
