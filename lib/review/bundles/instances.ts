import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import { type Ctx, inTransaction, type Tx } from "@/lib/db/context";
import type { ForeignInstance as InstanceRow } from "@/lib/db/generated/client";
import { Grants } from "@/lib/policy/grants/schema";
import { requireScope } from "@/lib/policy/require-scope";
import { recordDecision, setActiveVersion } from "@/lib/review/apply-decision";
import { inspectBeforeApproval } from "@/lib/review/approval-checks";
import { resolveTerms } from "@/lib/review/approve-version";
import { returnToReview } from "@/lib/review/return-approvals";
import { scanVersion } from "@/lib/review/scan-version";
import { signApproval } from "@/lib/review/signatures";
import { getSettings } from "@/lib/settings/settings";
import type { ForeignInstance, ForeignInstanceList, TrustInstanceInput } from "./schema";
import {
  type ReviewedVersion,
  recordOf,
  signerOfInstance,
  whyNotCountable,
  withReviewedVersion,
} from "./stored-review";

/** The instances whose bundles were imported here, newest first. For admins. */
export async function listForeignInstances(ctx: Ctx): Promise<ForeignInstanceList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.foreignInstance.findMany({ orderBy: [{ firstSeenAt: "desc" }, { keyId: "asc" }] });
  const items: ForeignInstance[] = [];
  for (const row of rows) items.push(await present(ctx, row));
  return { items, nextCursor: null };
}

/**
 * Trusts the key of an instance, or withdraws that trust. Trust lets its approvals count where `countTrusted` allows it;
 * withdrawing returns the versions that it approved to review, in the same transaction. For admins.
 */
export async function trustInstance(
  ctx: Ctx,
  keyId: string,
  { trusted }: TrustInstanceInput,
): Promise<ForeignInstance> {
  const actor = requireScope(ctx.actor, "admin");
  await requireInstance(ctx, keyId);
  await inTransaction(ctx, async (tx, txCtx) => {
    const instance = await requireInstance(txCtx, keyId);
    if ((instance.trustedAt !== null) === trusted) return;
    const set = { trustedAt: txCtx.now(), trustedById: actor.userId, trustedByName: actor.name };
    const cleared = { trustedAt: null, trustedById: null, trustedByName: null };
    await tx.foreignInstance.update({ where: { keyId }, data: trusted ? set : cleared });
    await recordEvent(tx, txCtx, {
      action: trusted ? "instance.trust" : "instance.distrust",
      summary: `${trusted ? "trusted" : "withdrew the trust in"} the approvals of ${instance.name}, key ${keyId.slice(0, 12)}`,
      target: { kind: "instance", id: keyId, name: instance.name },
      data: { keyId, name: instance.name },
    });
    if (trusted) return;
    const reason = `“${instance.name}” approved it, which is no longer trusted. A reviewer must approve it.`;
    await returnApprovalsOf(tx, txCtx, keyId, { isReturned: () => true, reason });
  });
  if (trusted) await countTrusted(ctx, keyId);
  return present(ctx, await requireInstance(ctx, keyId));
}

async function requireInstance(ctx: Ctx, keyId: string): Promise<InstanceRow> {
  const found = await ctx.db.foreignInstance.findUnique({ where: { keyId: keyId.toLowerCase() } });
  if (found === null)
    throw new AppError("not_found", "No bundle of an instance with this key was imported. Import one first.");
  return found;
}

async function present(ctx: Ctx, row: InstanceRow): Promise<ForeignInstance> {
  const { keyId, name, publicKey, trustedAt, trustedById, trustedByName } = row;
  const counting = { standing: "counts", actorId: signerOfInstance(keyId) };
  return {
    ...{ keyId, name, publicKey, firstSeenAt: row.firstSeenAt.toISOString(), lastExportAt: row.namedAt.toISOString() },
    versions: await ctx.db.foreignReview.count({ where: { keyId } }),
    counting: await ctx.db.decision.count({ where: counting }),
    trusted:
      trustedAt === null
        ? null
        : { by: { id: trustedById ?? "", name: trustedByName ?? "" }, at: trustedAt.toISOString() },
  };
}

/**
 * Applies the trust in an instance: approves, signed with this instance's key, each pending version for which its
 * approval counts (`whyNotCountable`), and returns those to review that it no longer approves. An approved version
 * becomes active only where the skill has no active version, and no skill is switched on. The caller, an admin, is the
 * actor of each event. Returns the number of approvals; null when the instance is not trusted.
 */
export async function countTrusted(ctx: Ctx, keyId: string): Promise<number | null> {
  requireScope(ctx.actor, "admin");
  const instance = await ctx.db.foreignInstance.findUnique({ where: { keyId } });
  if (instance === null || instance.trustedAt === null) return null;
  await inTransaction(ctx, (tx, txCtx) =>
    returnApprovalsOf(tx, txCtx, keyId, {
      isReturned: ({ state }) => state !== "approved",
      reason: `“${instance.name}” no longer approves it. A reviewer must approve it.`,
    }),
  );
  const key = await loadSigningKey(ctx.database.keyFolder);
  const found = await ctx.db.foreignReview.findMany({
    where: { keyId, state: "approved", version: { state: "pending", skill: { deletedAt: null } } },
    select: { versionId: true },
    orderBy: { versionId: "asc" },
  });
  let counted = 0;
  for (const { versionId } of found) if (await countOne(ctx, key, { versionId, keyId })) counted += 1;
  return counted;
}

type Place = { versionId: string; keyId: string };

async function countOne(ctx: Ctx, key: SigningKey, place: Place): Promise<boolean> {
  const review = await findReview(ctx, place);
  if (review === null) return false;
  const { version } = review;
  if ((await ctx.db.versionScan.count({ where: { versionId: version.id } })) === 0) await scanVersion(ctx, version.id);
  if ((await whyNotCountable(ctx, review)) !== null) return false;
  await inspectBeforeApproval(ctx, { skill: version.skill, version }, "");
  return inTransaction(ctx, async (tx, txCtx) => {
    const instance = await tx.foreignInstance.findUnique({ where: { keyId: place.keyId } });
    const current = await findReview(txCtx, place);
    if (current === null || instance === null || instance.trustedAt === null) return false;
    if ((await whyNotCountable(txCtx, current)) !== null) return false;
    await approveInName(tx, txCtx, { review: current, key, instanceName: instance.name });
    return true;
  });
}

function findReview(ctx: Pick<Ctx, "db">, place: Place): Promise<ReviewedVersion | null> {
  return ctx.db.foreignReview.findUnique({ where: { versionId_keyId: place }, include: withReviewedVersion });
}

async function approveInName(
  tx: Tx,
  ctx: Ctx,
  { review, key, instanceName }: { review: ReviewedVersion; key: SigningKey; instanceName: string },
): Promise<void> {
  const { version, keyId } = review;
  const { skill } = version;
  const record = recordOf(review);
  const people = record.decisions.filter(({ standing }) => standing === "counts").map(({ actor }) => actor.name);
  const signer = { userId: signerOfInstance(keyId), name: instanceName };
  const comment = `Approved by ${people.join(", ")} on ${instanceName}, key ${keyId}.`;
  const act = { actor: signer, skill, version, settings: await getSettings(ctx) };
  const given = { class: "safe" as const, grants: parseJsonColumn(Grants, record.grants ?? "{}"), entry: null };
  const terms = resolveTerms({ skill, version, given });
  const [id, at, activates] = [newId(), ctx.now(), skill.currentId === null];
  const signing = { key, id, at, needed: 1, subject: terms.subject, basis: "instance" as const, comment, activates };
  const { signed, serves } = await signApproval(tx, ctx, { ...act, ...signing });
  const grants = JSON.stringify(terms.grants);
  const stored = { class: terms.class, grants, subject: terms.subject };
  await tx.version.update({
    where: { id: version.id },
    data: { ...stored, state: "approved", decidedAt: at, returnedReason: null },
  });
  if (activates) await setActiveVersion(tx, ctx, skill, version, terms.class);
  await recordDecision(tx, ctx, act, {
    ...{ decision: "approve", sentence: `let the approval of ${instanceName} count for`, given: 1, needed: 1, serves },
    data: { instance: keyId, bundle: review.bundleDigest },
    row: {
      ...{ id, createdAt: at, comment, standing: "counts", ...stored, subjectJson: terms.subjectJson },
      ...{ actorId: signer.userId, actorName: signer.name },
      ...signed,
    },
  });
}

type Returning = { isReturned: (review: { state: string }) => boolean; reason: string };

/** Returns versions to review that are approved only because of an instance; in the caller's transaction. */
async function returnApprovalsOf(tx: Tx, ctx: Ctx, keyId: string, { isReturned, reason }: Returning): Promise<number> {
  const counting = { some: { standing: "counts", actorId: signerOfInstance(keyId) } };
  const reviews = await tx.foreignReview.findMany({
    where: { keyId, version: { state: "approved", decisions: counting } },
    include: withReviewedVersion,
  });
  const returned = reviews.filter(isReturned);
  for (const { version } of returned) await returnToReview(tx, ctx, version, reason);
  return returned.length;
}
