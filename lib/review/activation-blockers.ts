import type { FieldError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { Grants } from "@/lib/policy/grants/schema";
import { whyNotGrant } from "@/lib/policy/grants/settle-grants";
import { ownerIdOf } from "@/lib/policy/ownership";
import { signaturesNeeded } from "@/lib/policy/signatures-needed";
import { ApprovalStatement, basisOf } from "@/lib/policy/signed-statements";
import { findMissingCredential } from "@/lib/settings/credentials/credentials";
import type { Settings } from "@/lib/settings/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { whyNotServed } from "@/lib/skills/access/worker-allowances";
import { authorsOf, countingApprovals, highestOf, selfReviewers } from "@/lib/skills/approval/approval-round";
import { EMPTY_HISTORY, readActivationHistories, whyNotServable } from "@/lib/skills/approval/check-servable";
import { checkStoredApproval } from "@/lib/skills/approval/check-stored-approval";
import { whyReviewerNeeded } from "@/lib/skills/approval/owner-approval";
import { findReleased } from "@/lib/skills/approval/release-manifest";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { findUnexplainedText, schemaErrors, trustedDigests } from "./approval-checks";

type ActivationCandidate = { skill: SkillRow; version: VersionRow; settings: Settings };

/** Whether the release and the operator trust these bytes now. */
export type TrustSources = { release: boolean; operator: boolean };

/** Call outside transactions: reads local files. */
export async function readTrustSources(digest: string): Promise<TrustSources> {
  return { release: (await findReleased(digest)) !== null, operator: (await trustedDigests()).has(digest) };
}

/** Why an approved version cannot become active now, by path. Tampering is returned alone, as `approval`. */
export async function findActivationBlockers(
  ctx: Ctx,
  standing: ActivationCandidate,
  vouched: TrustSources,
): Promise<FieldError[]> {
  const { skill, version } = standing;
  const order = (await readActivationHistories(ctx, [skill.id])).get(skill.id) ?? EMPTY_HISTORY;
  const changed = (await checkStoredApproval(ctx, { skill, version })) ?? whyNotServable(order, version, false);
  if (changed !== null)
    return [{ path: "approval", message: `its stored data does not match its approval: ${changed}` }];
  const signatures = describeMissingSignatures(standing, vouched);
  const unserved = await whyNotServed(ctx, skill, version);
  return [
    ...(signatures === null
      ? []
      : [{ path: "signatures", message: await appendEligibleSigners(ctx, standing, signatures) }]),
    ...(await findGrantProblems(ctx, version)),
    ...schemaErrors(version),
    ...(await findOpenFindings(ctx, version)),
    ...(unserved === null ? [] : [{ path: "workers", message: unserved.replace(/\.$/, "") }]),
  ];
}

/**
 * What a verified approval's signatures lack under the current policy, as a clause; null if they suffice. A signature
 * counts when its signer is neither owner nor author, or in solo mode. The owner's alone counts for what owners may
 * approve.
 */
export function describeMissingSignatures(
  { skill, version, settings }: ActivationCandidate,
  vouched: TrustSources,
): string | null {
  const [ownerId, authorIds] = [ownerIdOf(skill.ownerKey), authorsOf(version)];
  const excluded = selfReviewers(skill, version, settings);
  const signed = countingApprovals(version).map(({ statement }) => {
    const read = keepParsed(ApprovalStatement, statement ?? "");
    return { signer: read.signer.id, basis: basisOf(read, { ownerId, authorIds }) };
  });
  if (signed.some(({ basis }) => (basis === "release" || basis === "operator") && vouched[basis])) return null;
  // Withdrawn trust returns the version to review, so only its limits are checked here.
  if (signed.some(({ basis }) => basis === "instance") && whyReviewerNeeded({ skill, version }) === null) return null;
  const isByOwner = signed.some(({ basis }) => basis === "own");
  const alone = isByOwner ? whyOwnerCannotApproveAlone({ skill, version, settings }) : null;
  if (isByOwner && alone === null) return null;
  const others = signed.filter(
    ({ signer, basis }) => (basis === "review" || basis === "solo") && !excluded.has(signer),
  );
  const given = new Set(others.map(({ signer }) => signer)).size;
  const needed = signaturesNeeded(highestOf(version, SkillClass.parse(version.class)), settings);
  if (given >= needed) return null;
  const why = alone === null ? "" : `, and its owner cannot approve it alone because ${alone}`;
  return `it needs ${needed === 1 ? "the approval of a reviewer who neither owns" : `the approvals of ${needed} reviewers who neither own`} nor wrote it, and has ${given}${why}`;
}

function whyOwnerCannotApproveAlone({ skill, version, settings }: ActivationCandidate): string | null {
  if (!settings.ownerMayApproveSafe) return "the setting “Owners approve their own safe skills” is off";
  if (skill.visibility === "public") return "other people can use it: it is public";
  return whyReviewerNeeded({ skill, version });
}

const MAX_LISTED = 5;

async function appendEligibleSigners(
  ctx: Ctx,
  { skill, version }: ActivationCandidate,
  lacks: string,
): Promise<string> {
  const ownerId = ownerIdOf(skill.ownerKey);
  const excluded = [...authorsOf(version), ...(ownerId === null ? [] : [ownerId])];
  const people = await ctx.db.user.findMany({
    where: { role: { in: ["reviewer", "admin"] }, state: "active", id: { notIn: excluded } },
    orderBy: { name: "asc" },
    take: MAX_LISTED,
    select: { name: true },
  });
  const names = people.map(({ name }) => name).join(", ");
  return `${lacks}: approve it again with the same class and permissions (${names === "" ? "no other reviewer has an account" : `possible reviewers: ${names}`})`;
}

async function findGrantProblems(ctx: Ctx, version: VersionRow): Promise<FieldError[]> {
  const grants = keepParsed(Grants, version.grants ?? "{}");
  const refused = whyNotGrant(SkillClass.parse(version.class), grants);
  const missing = await findMissingCredential(ctx.db, grants);
  return [
    ...(refused === null
      ? []
      : [{ path: refused.path, message: `its permissions can no longer be granted: ${refused.message}` }]),
    ...(missing === null
      ? []
      : [
          {
            path: `grants.credentials.${missing}.credential`,
            message: `the credential ${grants.credentials?.[missing]?.credential} no longer exists`,
          },
        ]),
  ];
}

async function findOpenFindings(ctx: Ctx, version: VersionRow): Promise<FieldError[]> {
  const found = await presentFindings(ctx, version);
  const severe = found.filter(
    ({ isNew, dismissed, severity }) => isNew && dismissed === null && (severity === "critical" || severity === "high"),
  );
  const comments = countingApprovals(version).map(({ comment }) => comment);
  const hidden = await findUnexplainedText(ctx, version, comments.join(""));
  const all = [...severe, ...(hidden === null ? [] : [hidden])];
  const named = [...new Map(all.map((finding) => [finding.fingerprint, finding])).values()].slice(0, MAX_LISTED);
  return named.map(({ rule, path, line }) => ({
    path: "findings",
    message: `the finding ${rule} in ${path}, line ${line}, is open: a reviewer has to dismiss it with a reason`,
  }));
}
