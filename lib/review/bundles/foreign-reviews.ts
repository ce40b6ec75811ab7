import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireVersion } from "@/lib/skills/version-access";
import { readGrants } from "@/lib/skills/versions/present-decisions";
import type { ForeignReview, ForeignReviewList } from "./schema";
import {
  isHostile,
  type ReviewedVersion,
  recordOf,
  signerOfInstance,
  whyNotCountable,
  withReviewedVersion,
} from "./stored-review";

/** What other instances decided about these bytes, newest export first, and whether it counts here. For reviewers and admins. */
export async function listForeignReviews(
  ctx: Ctx,
  { id, digest }: { id: string; digest: string },
): Promise<ForeignReviewList> {
  requireScope(ctx.actor, "review");
  const { version } = await requireVersion(ctx, id, digest);
  const rows = await ctx.db.foreignReview.findMany({
    where: { versionId: version.id },
    include: withReviewedVersion,
    orderBy: [{ exportedAt: "desc" }, { keyId: "asc" }],
  });
  const items: ForeignReview[] = [];
  for (const row of rows) items.push(await present(ctx, row));
  return { items, nextCursor: null };
}

async function present(ctx: Ctx, row: ReviewedVersion): Promise<ForeignReview> {
  const [instance, bundle] = await Promise.all([
    ctx.db.foreignInstance.findUniqueOrThrow({ where: { keyId: row.keyId } }),
    ctx.db.bundle.findUniqueOrThrow({ where: { digest: row.bundleDigest } }),
  ]);
  const record = recordOf(row);
  const isTrusted = instance.trustedAt !== null;
  const signer = signerOfInstance(row.keyId);
  const counts = row.version.decisions.some(({ standing, actorId }) => standing === "counts" && actorId === signer);
  const why = counts ? null : await whyNotCountable(ctx, row);
  return {
    instance: { keyId: row.keyId, name: instance.name, trusted: isTrusted },
    bundle: {
      ...{ digest: bundle.digest, exportedAt: row.exportedAt.toISOString(), exportedBy: bundle.exportedByName },
      importedAt: bundle.importedAt.toISOString(),
      importedBy: { id: bundle.importedById, name: bundle.importedByName },
    },
    ...{ state: record.state, active: record.isActive, class: record.class, grants: readGrants(record.grants) },
    decisions: record.decisions.map(({ id, decision, comment, actor, createdAt, soloMode, standing, ...rest }) => ({
      ...{ id, decision, comment, by: actor.name, at: createdAt, soloMode, standing, class: rest.class },
      signed: rest.signature !== null && rest.keyId === row.keyId,
    })),
    analyses: record.analyses.map((analysis) => ({
      ...{ id: analysis.id, finishedAt: analysis.finishedAt, worker: analysis.worker },
      ...{ requestedBy: analysis.requestedBy, hostile: isHostile(analysis) },
    })),
    counts,
    whyNot: counts ? null : explain(isTrusted, why),
  };
}

function explain(isTrusted: boolean, why: string | null): string {
  const reasons = [...(isTrusted ? [] : ["no admin trusts this instance"]), ...(why === null ? [] : [why])];
  if (reasons.length > 0) return `It does not count here: ${reasons.join(", and ")}.`;
  return "It does not count here yet: an admin has to import a bundle of this instance again, or to trust it anew.";
}
