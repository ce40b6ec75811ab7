import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { type SigningPolicy, type SigningRight, signerOf } from "@/lib/policy/signatures-needed";
import { type ChosenTerms, judgeApprover } from "@/lib/skills/approval-round";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import type { DecideVersionInput } from "./schema";

type Question = {
  skill: SkillRow;
  version: VersionRow;
  decision: DecideVersionInput["decision"];
  given: ChosenTerms;
  settings: SigningPolicy;
};

/**
 * Owners revoke what is theirs, and approve it within the plain sandbox; everything else takes the scope `review`. Answers
 * the right on which an approval is signed. `separation_of_duties`: another person has to sign these terms.
 */
export function assertMayDecide(
  actor: PersonActor,
  { skill, version, decision, given, settings }: Question,
): SigningRight {
  const { canReview } = signerOf(actor);
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  if (decision === "revoke" && isOwner) return "own";
  if (!canReview && !(isOwner && decision === "approve")) requireScope(actor, "review");
  if (decision !== "approve") return "review";
  const judged = judgeApprover(actor, skill, version, settings, given);
  if ("whyNot" in judged) throw new AppError("separation_of_duties", judged.whyNot);
  return judged.right;
}
