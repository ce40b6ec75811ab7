import type { Prisma } from "@/lib/db/generated/client";
import type { ReviewItem } from "./schema";

/** What the queue needs to know of a version. */
export const withContext = {
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
