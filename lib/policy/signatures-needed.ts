import type { PersonActor } from "@/lib/core/actor";
import type { SkillClass } from "@/lib/skill-format/schema";
import { hasScope } from "./require-scope";

const RANK: Record<SkillClass, number> = { safe: 0, mutating: 1, dangerous: 2 };

/** The most demanding of some classes; null entries are left out. */
export function highestClass(...classes: (SkillClass | null | undefined)[]): SkillClass {
  return classes.reduce<SkillClass>((highest, next) => (next && RANK[next] > RANK[highest] ? next : highest), "safe");
}

/** How many people must approve a version of this class. In solo mode one person is enough for everything. */
export function signaturesNeeded(highest: SkillClass, soloMode: boolean): number {
  return highest === "dangerous" && !soloMode ? 2 : 1;
}

type Signer = { userId: string; canReview: boolean; isPresent: boolean };

/** What counts of somebody who wants to sign: their scopes, and whether they are there themselves, not by a token. */
export function signerOf(actor: PersonActor): Signer {
  return { userId: actor.userId, canReview: hasScope(actor, "review"), isPresent: actor.kind === "user" };
}

type SignerQuestion = {
  highest: SkillClass;
  soloMode: boolean;
  signer: Signer;
  /** Who brought the bytes in. */
  authorId: string;
  owner: { kind: "user" | "org"; id: string | null };
};

/**
 * Whether this person may approve this version: null when they may, else the reason why not. With solo mode off, nobody
 * approves what they brought in themselves, except the owner of a safe skill for personal use, signed in and not by token.
 */
export function whyNotSign(question: SignerQuestion): string | null {
  const { signer, soloMode, highest, owner } = question;
  const isOwner = owner.kind === "user" && owner.id === signer.userId;
  if (highest === "safe" && isOwner && signer.isPresent) return null;
  if (!signer.canReview) return "Only a reviewer may decide on this version.";
  if (!soloMode && question.authorId === signer.userId) {
    return `You brought in this ${highest} version yourself; somebody else has to decide.`;
  }
  return null;
}
