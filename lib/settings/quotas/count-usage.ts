import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const SKILLS = query<{ count: number }>(
  `SELECT COUNT(*) AS "count" FROM "Skill" WHERE "ownerKey" = ? AND "liveSlug" IS NOT NULL`,
);
const BYTES = query<{ bytes: number | null }>(
  `SELECT SUM(f."size") AS "bytes" FROM "Skill" s JOIN "Version" v ON v."skillId" = s."id"
     JOIN "VersionFile" f ON f."versionId" = v."id"
   WHERE s."ownerKey" = ? AND s."liveSlug" IS NOT NULL`,
);
const IMPORTED = query<{ bytes: number | null; first: Date | null }>(
  `SELECT SUM(f."size") AS "bytes", MIN(v."createdAt") AS "first" FROM "Version" v
     JOIN "VersionFile" f ON f."versionId" = v."id"
   WHERE v."createdById" = ? AND v."createdAt" > ?`,
  { first: "date" },
);
/** Steps of a pipeline belong to the run that was asked for. */
const RUNS = query<{ count: number; first: Date | null }>(
  `SELECT COUNT(*) AS "count", MIN("queuedAt") AS "first" FROM "Run"
   WHERE "callerId" = ? AND "parentRunId" IS NULL AND "queuedAt" > ? AND "id" > ?`,
  { first: "date" },
);
const NTH_NEWEST = query<{ queuedAt: Date }>(
  `SELECT "queuedAt" FROM "Run" WHERE "callerId" = ? AND "parentRunId" IS NULL ORDER BY "id" DESC LIMIT 1 OFFSET ?`,
  { queuedAt: "date" },
);
const AT_ONCE = query<{ count: number }>(
  `SELECT COUNT(*) AS "count" FROM "Run"
   WHERE "state" IN (?, ?) AND "callerId" = ? AND "parentRunId" IS NULL`,
);

type Counted = { used: number; first: Date | null };

export async function countSkills(ctx: Ctx, userId: string): Promise<number> {
  return (await sqlOf(ctx).get(SKILLS, userId))?.count ?? 0;
}

/** Of all versions of the skills that somebody owns. Files that versions share count for each. */
export async function countStoredBytes(ctx: Ctx, userId: string): Promise<number> {
  return Number((await sqlOf(ctx).get(BYTES, userId))?.bytes ?? 0);
}

/** Bytes that somebody brought in within a day, for whomever. */
export async function countImported(ctx: Ctx, userId: string): Promise<Counted> {
  const row = await sqlOf(ctx).get(IMPORTED, userId, new Date(ctx.now().getTime() - DAY_MS));
  return { used: Number(row?.bytes ?? 0), first: row?.first ?? null };
}

export async function countRuns(ctx: Ctx, userId: string, windowMs: number): Promise<Counted> {
  const since = ctx.now().getTime() - windowMs;
  const row = await sqlOf(ctx).get(RUNS, userId, new Date(since), firstIdSince(since));
  return { used: row?.count ?? 0, first: row?.first ?? null };
}

/** When the run was asked for that is the `nth` newest of somebody; null when there are fewer. Looks at no more than these. */
export async function nthNewestRun(ctx: Ctx, userId: string, nth: number): Promise<Date | null> {
  return (await sqlOf(ctx).get(NTH_NEWEST, userId, nth - 1))?.queuedAt ?? null;
}

export async function countRunsAtOnce(ctx: Ctx, userId: string): Promise<number> {
  return (await sqlOf(ctx).get(AT_ONCE, "queued", "running", userId))?.count ?? 0;
}

/** Ids begin with the milliseconds at which they were made. An hour before, for clocks that differ. */
function firstIdSince(atMs: number): string {
  const hex = Math.max(0, Math.floor(atMs - HOUR_MS))
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
