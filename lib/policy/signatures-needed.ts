import type { PersonActor } from "@/lib/core/actor";
import type { SkillClass } from "@/lib/skill-format/schema";
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
};

/**
 * Whether this person may approve this version: null when they may, else the reason why not. With solo mode off, nobody
 * approves what they brought in themselves, except the owner of a safe skill for personal use, signed in and not by token.
 * Lowering a class follows from it: the higher class still counts, so that it takes a reviewer who did not bring it in.
 */
export function whyNotSign(question: SignerQuestion): string | null {
  const { signer, policy, highest, owner } = question;
  const isOwner = owner.kind === "user" && owner.id === signer.userId;
  if (highest === "safe" && isOwner && signer.isPresent && policy.ownerMayApproveSafe) return null;
  if (!signer.canReview) return "Only a reviewer may decide on this version.";
  if (!policy.soloMode && question.authorIds.includes(signer.userId)) {
    return `You brought in this ${highest} version yourself; somebody else has to decide.`;
  }
  return null;
}
