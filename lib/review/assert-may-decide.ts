import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { type SigningPolicy, signerOf } from "@/lib/policy/signatures-needed";
import type { SkillClass } from "@/lib/skill-format/schema";
import { whyNotApprove } from "@/lib/skills/approval-round";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import type { DecideVersionInput } from "./schema";

type Question = {
  skill: SkillRow;
  version: VersionRow;
  decision: DecideVersionInput["decision"];
  chosen: SkillClass | undefined;
  settings: SigningPolicy;
};

/** Owners revoke what is theirs and approve it when it is safe; everything else takes the scope `review`. */
export function assertMayDecide(actor: PersonActor, { skill, version, decision, chosen, settings }: Question): void {
  const { canReview } = signerOf(actor);
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  if (decision === "revoke" && isOwner) return;
  if (!canReview && !(isOwner && decision === "approve")) requireScope(actor, "review");
  if (decision !== "approve") return;
  const reason = whyNotApprove(actor, skill, version, settings, chosen);
  if (reason) throw new AppError("separation_of_duties", reason);
}
