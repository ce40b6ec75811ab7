import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import type { PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope } from "@/lib/policy/require-scope";
import type { SigningPolicy } from "@/lib/policy/signatures-needed";
import { openApprovals, whyNotApprove } from "@/lib/skills/standing/approval-round";
import { isNewSince } from "@/lib/skills/versions/present-findings";
import type { ReviewItem } from "./schema";

/** What the queue needs to know of a version. */
const withContext = {
  skill: { include: { current: { include: { files: true } } } },
  files: { orderBy: { path: "asc" } },
  decisions: { orderBy: { id: "asc" } },
  scan: { select: { complete: true } },
  // Only what is counted: the texts would make the queue heavy.
  findings: { select: { fingerprint: true, severity: true, firstSeenAt: true } },
  dismissals: true,
} satisfies Prisma.VersionInclude;

export type WaitingVersion = Prisma.VersionGetPayload<{ include: typeof withContext }>;

/** A version in the queue, and why it is there. */
export type Waiting = { row: WaitingVersion; reason: ReviewItem["reason"] };

const BATCH = 100;

/** What waits for this person behind a cursor, the oldest first: at least one more than the limit when there is more. */
export async function findWaiting(
  ctx: Ctx,
  actor: PersonActor,
  policy: SigningPolicy,
  query: PageQuery,
): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  let last = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  while (waiting.length <= query.limit) {
    const batch: WaitingVersion[] = await ctx.db.version.findMany({
      where: { AND: [mayWait(actor), last === null ? {} : { id: { gt: last } }] },
      orderBy: { id: "asc" },
      take: BATCH,
      include: withContext,
    });
    waiting.push(
      ...batch.flatMap((row) => {
        const reason = whyItWaits(actor, row, policy);
        return reason === null ? [] : [{ row, reason }];
      }),
    );
    last = batch.at(-1)?.id ?? last;
    if (batch.length < BATCH) break;
  }
  return waiting;
}

/** What the database can tell; the rest is decided row by row. */
function mayWait(actor: PersonActor): Prisma.VersionWhereInput {
  const mayReview = hasScope(actor, "review");
  const approved: Prisma.VersionWhereInput[] = [
    { state: "approved", decisions: { some: { standing: "open" } } },
    { state: "approved", currentOf: { some: {} }, findings: { some: { severity: { not: "info" } } } },
  ];
  return {
    skill: { deletedAt: null, ...(mayReview ? {} : { ownerId: actor.userId }) },
    OR: [{ state: "pending" }, ...(mayReview ? approved : [])],
  };
}

function whyItWaits(actor: PersonActor, row: WaitingVersion, policy: SigningPolicy): ReviewItem["reason"] | null {
  const maySign = () => whyNotApprove(actor, row.skill, row, policy) === null;
  if (row.state === "pending") return maySign() ? "decision" : null;
  if (openApprovals(row).length > 0 && maySign()) return "terms";
  const dismissed = new Set(row.dismissals.map(({ fingerprint }) => fingerprint));
  const isOpen = row.findings.some(
    (finding) =>
      finding.severity !== "info" && isNewSince(row, finding.firstSeenAt) && !dismissed.has(finding.fingerprint),
  );
  return isOpen ? "new_findings" : null;
}
