import { recordEvent } from "@/lib/audit/record-event";
import { keepParsed } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { ownerIdOf } from "@/lib/policy/ownership";
import { ApprovalStatement } from "@/lib/policy/signed-statements";
import { isOwnerApproved, whyReviewerNeeded } from "@/lib/skills/approval/owner-approval";
import { withFilesAndDecisions } from "@/lib/skills/version-access";
import { clearActiveVersion } from "./apply-decision";

const withReviewData = {
  ...withFilesAndDecisions,
  skill: { include: { current: true, pending: true } },
} satisfies Prisma.VersionInclude;
type Approved = Prisma.VersionGetPayload<{ include: typeof withReviewData }>;

const BATCH = 100;

/** Approvals by owners and authors whose statement does not name the right on which it was signed. */
const CANDIDATES = query<{ id: string }>(
  `SELECT DISTINCT v."id" FROM "Version" v JOIN "Skill" s ON s."id" = v."skillId" JOIN "Decision" d ON d."versionId" = v."id"
   WHERE v."state" = 'approved' AND s."deletedAt" IS NULL AND d."standing" = 'counts'
     AND (d."actorId" = s."ownerId" OR d."actorId" = v."createdById" OR d."actorId" = v."submittedById")
     AND d."statement" NOT LIKE '%"basis":%'`,
);

/**
 * Returns approvals of earlier releases to review when the current rules on self-approval forbid them: approvals that
 * an owner or author gave alone for more than the plain sandbox, or for a skill that other people use. Keeps approvals
 * by the release and the operator. Runs at each start, is idempotent and commits each version with its event
 * `version.returned`. Returns the number of returned versions.
 */
export async function returnForbiddenApprovals(ctx: Ctx): Promise<number> {
  const ids = (await sqlOf(ctx).all(CANDIDATES)).map(({ id }) => id).sort();
  let returned = 0;
  for (let from = 0; from < ids.length; from += BATCH) {
    const where = { id: { in: ids.slice(from, from + BATCH) } };
    for (const version of await ctx.db.version.findMany({ where, include: withReviewData })) {
      if ((await findReturnReason(ctx.db, version)) !== null && (await returnOne(ctx, version.id))) returned += 1;
    }
  }
  return returned;
}

function returnOne(ctx: Ctx, id: string): Promise<boolean> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const version = await tx.version.findUnique({ where: { id }, include: withReviewData });
    const reason = version?.state === "approved" ? await findReturnReason(tx, version) : null;
    if (!version || reason === null) return false;
    await returnToReview(tx, txCtx, version, reason);
    return true;
  });
}

/** Makes an approved version pending again, with the reason as a sentence, in the caller's transaction. */
export async function returnToReview(tx: Tx, ctx: Ctx, version: Approved, reason: string): Promise<void> {
  const { id, skill } = version;
  await tx.decision.updateMany({
    where: { versionId: id, standing: { in: ["open", "counts"] } },
    data: { standing: "void" },
  });
  const cleared = { class: null, grants: null, entry: null, subject: null, decidedAt: null };
  await tx.version.update({ where: { id }, data: { ...cleared, state: "pending", returnedReason: reason } });
  await clearActiveVersion(tx, ctx, skill, version);
  await recordEvent(tx, ctx, {
    action: "version.returned",
    concerns: skill.ownerId ?? version.createdById,
    summary: `returned ${skill.name} ${version.digest.slice(0, 7)} to review`,
    target: { kind: "skill", id: skill.id, name: skill.name },
    skillId: skill.id,
    versionDigest: version.digest,
    tool: skill.toolName,
    class: version.class ?? skill.class,
    data: { reason, grants: version.grants, served: skill.currentId === id },
  });
}

/** Why the approval must be reviewed again, as a sentence; null when it may stay. */
async function findReturnReason(db: Ctx["db"], version: Approved): Promise<string | null> {
  try {
    const approved = { skill: version.skill, version };
    const reason = whyReviewerNeeded(approved);
    const shared = version.skill.visibility === "public" ? "other people can use it: it is public" : null;
    if (isOwnerApproved(approved)) {
      const why = [reason, shared].filter((part) => part !== null);
      return why.length === 0
        ? null
        : `Its owner approved it alone. A reviewer must approve it because ${why.join(", and ")}.`;
    }
    if (reason === null || !(await isByNonReviewer(db, version))) return null;
    return `Its owner approved it alone in solo mode and has no review role. A reviewer must approve it because ${reason}.`;
  } catch {
    return null; // An unreadable approval does not verify, so it has no effect.
  }
}

/** Whether the approval counts only by the solo-mode statement of an owner without a review role. */
async function isByNonReviewer(db: Ctx["db"], version: Approved): Promise<boolean> {
  const counting = version.decisions.filter(({ standing }) => standing === "counts");
  const statements = counting.map(({ statement }) => keepParsed(ApprovalStatement, statement ?? ""));
  const ids = statements
    .filter(({ basis, soloMode }) => basis === undefined && soloMode)
    .map(({ signer }) => signer.id)
    .filter((id) => id === ownerIdOf(version.skill.ownerKey));
  if (ids.length === 0) return false;
  const able = await db.user.count({ where: { id: { in: ids }, role: { in: ["reviewer", "admin"] } } });
  return able < new Set(ids).size;
}
