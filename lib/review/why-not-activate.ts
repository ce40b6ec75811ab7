import type { FieldError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { ApprovalStatement, basisOf } from "@/lib/policy/approval-statement";
import { Grants } from "@/lib/policy/grants/schema";
import { whyNotGrant } from "@/lib/policy/grants/settle-grants";
import { ownerIdOf } from "@/lib/policy/ownership";
import { signaturesNeeded } from "@/lib/policy/signatures-needed";
import { findMissingCredential } from "@/lib/settings/credentials/credentials";
import type { Settings } from "@/lib/settings/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { whyNotServed } from "@/lib/skills/access/worker-allowances";
import { authorsOf, countingApprovals, highestOf } from "@/lib/skills/approval/approval-round";
import { EMPTY_HISTORY, readActivationHistories, whyNotServable } from "@/lib/skills/approval/check-servable";
import { checkStoredApproval } from "@/lib/skills/approval/check-stored-approval";
import { whyReviewerNeeded } from "@/lib/skills/approval/owner-approval";
import { findReleased } from "@/lib/skills/approval/release-manifest";
import type { SkillRow } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { findUnexplainedText, schemaErrors } from "./approval-checks";

import { trustedDigests } from "./trusted-digests";

type Standing = { skill: SkillRow; version: VersionRow; settings: Settings };

/** Whether the release and the operator vouch for these bytes today. */
export type Vouched = { release: boolean; operator: boolean };

/** Reads files of this machine, so no transaction waits for it longer than for their state. */
export async function readVouched(digest: string): Promise<Vouched> {
  return { release: (await findReleased(digest)) !== null, operator: (await trustedDigests()).has(digest) };
}

/**
 * What an approved version lacks to become the active one under the policy of today, each with the thing it is about; empty
 * when its approval suffices. What was changed in the database behind the server's back comes alone, with `path` `approval`.
 */
export async function whyNotActivate(ctx: Ctx, standing: Standing, vouched: Vouched): Promise<FieldError[]> {
  const { skill, version } = standing;
  const order = (await readActivationHistories(ctx, [skill.id])).get(skill.id) ?? EMPTY_HISTORY;
  const changed = (await checkStoredApproval(ctx, { skill, version })) ?? whyNotServable(order, version, false);
  if (changed !== null) return [{ path: "approval", message: `what is stored is not what was approved: ${changed}` }];
  const signatures = whyTooFewSignatures(standing, vouched);
  const unserved = await whyNotServed(ctx, skill, version);
  return [
    ...(signatures === null ? [] : [{ path: "signatures", message: await nameSigners(ctx, standing, signatures) }]),
    ...(await whyNotGrants(ctx, version)),
    ...schemaErrors(version),
    ...(await whyNotFindings(ctx, version)),
    ...(unserved === null ? [] : [{ path: "workers", message: unserved.replace(/\.$/, "") }]),
  ];
}

/**
 * What the signatures of an approval that verifies lack today, as a clause; null when they suffice. A signature counts when its
 * signer neither owns nor brought in the version, or solo mode is on; that of an owner alone for what owners may approve alone.
 */
export function whyTooFewSignatures({ skill, version, settings }: Standing, vouched: Vouched): string | null {
  const [ownerId, authorIds] = [ownerIdOf(skill.ownerKey), authorsOf(version)];
  const excluded = new Set(settings.soloMode ? [] : [...authorIds, ...(ownerId === null ? [] : [ownerId])]);
  const signed = countingApprovals(version).map(({ statement }) => {
    const read = keepParsed(ApprovalStatement, statement ?? "");
    return { signer: read.signer.id, basis: basisOf(read, { ownerId, authorIds }) };
  });
  if (signed.some(({ basis }) => (basis === "release" || basis === "operator") && vouched[basis])) return null;
  const isByOwner = signed.some(({ basis }) => basis === "own");
  const alone = isByOwner ? whyNotAloneToday({ skill, version, settings }) : null;
  if (isByOwner && alone === null) return null;
  const others = signed.filter(
    ({ signer, basis }) => (basis === "review" || basis === "solo") && !excluded.has(signer),
  );
  const given = new Set(others.map(({ signer }) => signer)).size;
  const needed = signaturesNeeded(highestOf(version, SkillClass.parse(version.class)), settings);
  if (given >= needed) return null;
  const why = alone === null ? "" : `, and its owner does not approve it alone, because ${alone}`;
  return `it needs ${needed === 1 ? "the signature of a reviewer" : `the signatures of ${needed} reviewers`} who neither own it nor brought it in, and has ${given}${why}`;
}

function whyNotAloneToday({ skill, version, settings }: Standing): string | null {
  if (!settings.ownerMayApproveSafe) return "owners do not approve their own skills here (setting ownerMayApproveSafe)";
  if (skill.visibility === "public") return "other people can use it: it is public";
  return whyReviewerNeeded({ skill, version });
}

const MOST_NAMED = 5;

/** The clause with the people who can sign the same terms again. */
async function nameSigners(ctx: Ctx, { skill, version }: Standing, lacks: string): Promise<string> {
  const ownerId = ownerIdOf(skill.ownerKey);
  const excluded = [...authorsOf(version), ...(ownerId === null ? [] : [ownerId])];
  const people = await ctx.db.user.findMany({
    where: { role: { in: ["reviewer", "admin"] }, state: "active", id: { notIn: excluded } },
    orderBy: { name: "asc" },
    take: MOST_NAMED,
    select: { name: true },
  });
  const names = people.map(({ name }) => name).join(", ");
  return `${lacks}: approve it again with the same terms (${names === "" ? "no other reviewer has an account" : `can sign: ${names}`})`;
}

async function whyNotGrants(ctx: Ctx, version: VersionRow): Promise<FieldError[]> {
  const grants = keepParsed(Grants, version.grants ?? "{}");
  const refused = whyNotGrant(SkillClass.parse(version.class), grants);
  const missing = await findMissingCredential(ctx.db, grants);
  return [
    ...(refused === null
      ? []
      : [{ path: refused.path, message: `its grants cannot be given any more: ${refused.message}` }]),
    ...(missing === null
      ? []
      : [
          {
            path: `grants.credentials.${missing}.credential`,
            message: `there is no credential ${grants.credentials?.[missing]?.credential} any more`,
          },
        ]),
  ];
}

/** Severe findings that came up after people signed, and hidden text that no signer explained. */
async function whyNotFindings(ctx: Ctx, version: VersionRow): Promise<FieldError[]> {
  const found = await presentFindings(ctx, version);
  const severe = found.filter(
    ({ isNew, dismissed, severity }) => isNew && dismissed === null && (severity === "critical" || severity === "high"),
  );
  const comments = countingApprovals(version).map(({ comment }) => comment);
  const hidden = await findUnexplainedText(ctx, version, comments.join(""));
  const all = [...severe, ...(hidden === null ? [] : [hidden])];
  const named = [...new Map(all.map((finding) => [finding.fingerprint, finding])).values()].slice(0, MOST_NAMED);
  return named.map(({ rule, path, line }) => ({
    path: "findings",
    message: `${rule} in ${path}, line ${line}, is open: a reviewer has to dismiss it with a reason`,
  }));
}
