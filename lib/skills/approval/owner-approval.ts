import { keepParsed } from "@/lib/core/json";
import { ApprovalStatement, basisOf } from "@/lib/policy/approval-statement";
import { Grants } from "@/lib/policy/grants/schema";
import { ownerIdOf } from "@/lib/policy/ownership";
import { beyondPlainSandbox, sayBeyond } from "@/lib/policy/plain-sandbox";
import { proposeClass } from "@/lib/policy/propose-class";
import { highestClass } from "@/lib/policy/signatures-needed";
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

/** What of a skill and its version says whether its owner approved it alone. */
export type Approval = {
  skill: ApprovedSkill["skill"];
  version: Pick<ApprovedSkill["version"], "createdById" | "submittedById" | "decisions">;
};

/** Whether a version serves because its owner approved it alone, by the signed statements. For an approval that verifies. */
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

/** The same for a list of what serves, whose approvals are not verified: true also when a statement cannot be read. */
export function mayBeOwnerApproved(approval: Approval): boolean {
  try {
    return isOwnerApproved(approval);
  } catch {
    return true; // Such an approval does not verify, so the version does not serve.
  }
}

/** What an owner cannot approve alone in the terms that a version serves under, as a clause; null when there is nothing. */
export function whyReviewerNeeded({ version }: ApprovedSkill): string | null {
  const manifest = keepParsed(SkillManifest, version.manifest);
  const decided = SkillClass.catch("dangerous").parse(version.class);
  const highest = highestClass(manifest.declaredClass, proposeClass(manifest, version.files).class, decided);
  const grants = keepParsed(Grants, version.grants ?? "{}");
  const beyond = beyondPlainSandbox(manifest, { grants, entry: decidedEntry(version), files: version.files });
  const reasons = [...(highest === "safe" ? [] : [`it is ${highest}`]), ...(beyond.length ? [sayBeyond(beyond)] : [])];
  return reasons.length === 0 ? null : reasons.join(", and ");
}

/**
 * Why a version that its owner approved alone is not served to a caller, as the end of a sentence: it is more than an owner
 * approves alone, or another person asks. Null when it is served. `callerId` is null for callers that are no person.
 */
export function whyNotServedToCaller(approved: ApprovedSkill, callerId: string | null): string | null {
  if (!isOwnerApproved(approved)) return null;
  const reason = whyReviewerNeeded(approved);
  if (reason !== null) return `its owner approved it alone, and a reviewer has to sign, because ${reason}`;
  if (callerId === ownerIdOf(approved.skill.ownerKey)) return null;
  return "its owner approved it alone, for their own use; a reviewer has to approve it before other people use it";
}
