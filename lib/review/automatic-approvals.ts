import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";
import { getSettings } from "@/lib/settings/settings";
import type { SkillClass } from "@/lib/skill-format/schema";
import { findReleased } from "@/lib/skills/approval/release-manifest";
import type { SkillRow } from "@/lib/skills/skill-access";
import { type VersionRow, withFilesAndDecisions } from "@/lib/skills/version-access";
import { recordDecision, type Signer, setActiveVersion } from "./apply-decision";
import { inspectBeforeApproval, schemaErrors, trustedDigests } from "./approval-checks";
import { resolveTerms } from "./approve-version";
import { loadAttestationKeys } from "./attest/attestation-keys";
import { storeAttestation } from "./attest/attestations";
import { signApproval } from "./signatures";

export type AutomaticApproval = {
  skillId: string;
  digest: string;
  signer: Signer & { userId: "release" | "operator" };
  comment: string;
  class?: SkillClass;
  grants?: Grants;
};

/**
 * Approves a pending version in the name of the release or the operator. Such an approval suffices alone and is signed,
 * audited and revocable. Enables a skill that has no decision yet. Never approves bytes that a person has revoked or
 * rejected. Returns whether it approved; throws `not_approved` when the stored bytes do not match the digest.
 */
export async function approveAutomatically(ctx: Ctx, approval: AutomaticApproval): Promise<boolean> {
  const acting: Ctx = { ...ctx, actor: { kind: "system", name: approval.signer.name } };
  const found = await findPending(acting, approval);
  if (found === null) return false;
  const key = await loadSigningKey(ctx.database.keyFolder);
  const keys = await loadAttestationKeys(ctx.database.keyFolder, ctx.now());
  await inspectBeforeApproval(acting, found, approval.comment);
  return inTransaction(acting, async (tx, txCtx) => {
    const pending = await findPending(txCtx, approval);
    if (pending === null) return false;
    const { skill, version } = pending;
    const act = { actor: approval.signer, skill, version, settings: await getSettings(txCtx) };
    const terms = resolveTerms({ skill, version, given: { class: approval.class, grants: approval.grants } });
    const [id, at] = [newId(), ctx.now()];
    const isFirst = (await tx.decision.count({ where: { version: { skillId: skill.id } } })) === 0;
    const { signer, comment } = approval;
    const signing = { key, id, at, needed: 1, subject: terms.subject, basis: signer.userId, comment, activates: true };
    const { signed, serves } = await signApproval(tx, txCtx, { ...act, ...signing });
    await tx.decision.updateMany({ where: { versionId: version.id, standing: "open" }, data: { standing: "void" } });
    const grants = JSON.stringify(terms.grants);
    const stored = { class: terms.class, grants, subject: terms.subject };
    await tx.version.update({
      where: { id: version.id },
      data: { ...stored, state: "approved", decidedAt: at, returnedReason: null },
    });
    await setActiveVersion(tx, txCtx, skill, version, terms.class);
    await recordDecision(tx, txCtx, act, {
      ...{ decision: "approve", sentence: "approved", given: 1, needed: 1, serves },
      row: {
        ...{ id, createdAt: at, comment: approval.comment, standing: "counts", class: terms.class, grants },
        ...{ subject: terms.subject, subjectJson: terms.subjectJson },
        ...{ actorId: approval.signer.userId, actorName: approval.signer.name },
        ...signed,
      },
    });
    await storeAttestation(tx, txCtx, { keys, skill, versionId: version.id });
    if (isFirst && !skill.enabled) await enableSkill(tx, txCtx, skill, version);
    return true;
  });
}

async function findPending(
  ctx: Ctx,
  { skillId, digest }: AutomaticApproval,
): Promise<{ skill: SkillRow; version: VersionRow } | null> {
  const skill = await ctx.db.skill.findUnique({ where: { id: skillId }, include: { current: true, pending: true } });
  if (skill === null) throw new AppError("not_found", "There is no such skill.");
  const version = await ctx.db.version.findUnique({
    where: { skillId_digest: { skillId, digest } },
    include: withFilesAndDecisions,
  });
  if (version?.state !== "pending" || schemaErrors(version).length > 0) return null;
  const refused = { digest, state: { in: ["revoked", "rejected"] }, skill: { source: "worker" } };
  return (await ctx.db.version.count({ where: refused })) > 0 ? null : { skill, version };
}

async function enableSkill(tx: Tx, ctx: Ctx, skill: SkillRow, version: VersionRow): Promise<void> {
  await tx.skill.update({ where: { id: skill.id }, data: { enabled: true } });
  await recordEvent(tx, ctx, {
    action: "skill.enable",
    summary: `switched ${skill.name} on`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    versionDigest: version.digest,
    tool: skill.toolName,
  });
}

const RELEASE = "release" as const;

/** Approves a pending version that is byte for byte a built-in of this release. Returns whether it did. */
export async function approveRelease(ctx: Ctx, skillId: string, digest: string): Promise<boolean> {
  const builtin = await findReleased(digest);
  if (builtin === null) return false;
  return approveAutomatically(ctx, {
    skillId,
    digest,
    signer: { userId: RELEASE, name: `Skillgate ${builtin.release}` },
    comment: "A built-in of this release.",
    class: builtin.class,
    grants: builtin.grants,
  });
}

const OPERATOR = { userId: "operator", name: "operator" } as const;

/** Approves a worker's pending version whose digest the operator trusts. Returns whether it did. */
export async function approveTrusted(ctx: Ctx, skillId: string, digest: string): Promise<boolean> {
  if (!(await trustedDigests()).has(digest)) return false;
  const comment = "Its digest is in the operator’s file of trusted digests.";
  return approveAutomatically(ctx, { skillId, digest, signer: OPERATOR, comment });
}

/** Applies `approveTrusted` to every pending version from workers. Returns the number of approvals. */
export async function approveAllTrusted(ctx: Ctx): Promise<number> {
  const digests = await trustedDigests();
  if (digests.size === 0) return 0;
  const pending = await ctx.db.version.findMany({
    where: { state: "pending", skill: { source: "worker", deletedAt: null } },
    select: { skillId: true, digest: true },
  });
  let approved = 0;
  for (const { skillId, digest } of pending) {
    if (digests.has(digest) && (await approveTrusted(ctx, skillId, digest))) approved += 1;
  }
  return approved;
}
