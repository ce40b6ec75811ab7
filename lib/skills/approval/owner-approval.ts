import { keepParsed } from "@/lib/core/json";
import { Grants } from "@/lib/policy/grants/schema";
import { ownerIdOf } from "@/lib/policy/ownership";
import { describeExtraPermissions, extraPermissions } from "@/lib/policy/plain-sandbox";
import { proposeClass } from "@/lib/policy/propose-class";
import { highestClass } from "@/lib/policy/signatures-needed";
import { ApprovalStatement, basisOf } from "@/lib/policy/signed-statements";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { decidedEntry } from "./served-manifest";

export type ApprovedSkill = {
  skill: { ownerKey: string };
  version: {
    manifest: string;
    class: string | null;
    grants: string | null;
    entry: string | null;
    createdById: string;
    submittedById: string | null;
    files: { path: string; mode: string }[];
    decisions: { standing: string | null; statement: string | null }[];
  };
};

export type Approval = {
  skill: ApprovedSkill["skill"];
  version: Pick<ApprovedSkill["version"], "createdById" | "submittedById" | "decisions">;
};

/** Whether the owner approved the version alone, by its signed statements. Call it only for a verified approval. */
export function isOwnerApproved({ skill, version }: Approval): boolean {
  const about = {
    ownerId: ownerIdOf(skill.ownerKey),
    authorIds: [version.createdById, ...(version.submittedById ? [version.submittedById] : [])],
  };
  return version.decisions.some(
    ({ standing, statement }) =>
      standing === "counts" && statement !== null && basisOf(keepParsed(ApprovalStatement, statement), about) === "own",
  );
}

/** Like `isOwnerApproved`, for unverified approvals in lists; true also when a statement is unreadable. */
export function mayBeOwnerApproved(approval: Approval): boolean {
  try {
    return isOwnerApproved(approval);
  } catch {
    return true; // Such an approval does not verify, so the version is not served.
  }
}

/** Why an owner could not approve the stored terms alone, as a clause; null when they could. */
export function whyReviewerNeeded({ version }: ApprovedSkill): string | null {
  const manifest = keepParsed(SkillManifest, version.manifest);
  const decided = SkillClass.catch("dangerous").parse(version.class);
  const highest = highestClass(manifest.declaredClass, proposeClass(manifest, version.files).class, decided);
  const grants = keepParsed(Grants, version.grants ?? "{}");
  const beyond = extraPermissions(manifest, { grants, entry: decidedEntry(version), files: version.files });
  const reasons = [
    ...(highest === "safe" ? [] : [`it is ${highest}`]),
    ...(beyond.length ? [describeExtraPermissions(beyond)] : []),
  ];
  return reasons.length === 0 ? null : reasons.join(", and ");
}

/**
 * Why an owner-approved version is not served to a caller, as the end of a sentence: it exceeds what an owner may
 * approve alone, or another person asks. Null when it is served. `callerId` is null for callers that are no person.
 */
export function whyNotServedToCaller(approved: ApprovedSkill, callerId: string | null): string | null {
  if (!isOwnerApproved(approved)) return null;
  const reason = whyReviewerNeeded(approved);
  if (reason !== null) return `only its owner approved it, and a reviewer has to approve it too, because ${reason}`;
  if (callerId === ownerIdOf(approved.skill.ownerKey)) return null;
  return "only its owner approved it, for their own use; a reviewer has to approve it before other people use it";
}
