import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { cachedSettings } from "../settings";
import { OwnQuotas, QUOTA_KEYS, type Quotas } from "./schema";

const OWN = query<{ quotas: string }>(`SELECT "quotas" FROM "User" WHERE "id" = ?`);

/** What is said of this person alone. */
export async function ownQuotas(ctx: Ctx, userId: string): Promise<OwnQuotas> {
  const row = await sqlOf(ctx).get(OWN, userId);
  return row === undefined ? {} : keepParsed(OwnQuotas, row.quotas);
}

/** What holds for this person: their own quotas over the settings, which may be five seconds old. */
export async function quotasOf(ctx: Ctx, userId: string): Promise<Quotas> {
  const settings = await cachedSettings(ctx);
  const ofAll = Object.fromEntries(QUOTA_KEYS.map((key) => [key, settings[key]])) as Quotas;
  return { ...ofAll, ...(await ownQuotas(ctx, userId)) };
}

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
async function nthNewestRun(ctx: Ctx, userId: string, nth: number): Promise<Date | null> {
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

const AGAIN_SECONDS = 5;

/**
 * Throws `rate_limited` with the quota as its rule when one more run of this person would be too many. To be asked in the
 * transaction that stores the run: runs that are asked for at once cannot slip past together.
 */
export async function assertRunQuota(ctx: Ctx, userId: string): Promise<void> {
  const { runsPerHour, runsPerDay, runsAtOnce } = await quotasOf(ctx, userId);
  await assertWindow(ctx, userId, { limit: runsPerHour, windowMs: HOUR_MS, rule: "runsPerHour", words: "an hour" });
  await assertWindow(ctx, userId, { limit: runsPerDay, windowMs: DAY_MS, rule: "runsPerDay", words: "24 hours" });
  if (runsAtOnce === 0 || (await countRunsAtOnce(ctx, userId)) < runsAtOnce) return;
  throw new AppError(
    "rate_limited",
    `${runsAtOnce} of your runs are queued or running, which is the limit. It frees when one of them ends.`,
    { rule: "runsAtOnce", retryAfterSeconds: AGAIN_SECONDS },
  );
}

type Window = { limit: number; windowMs: number; rule: string; words: string };

async function assertWindow(ctx: Ctx, userId: string, { limit, windowMs, rule, words }: Window): Promise<void> {
  if (limit === 0) return;
  const oldest = await nthNewestRun(ctx, userId, limit);
  const freesAt = oldest === null ? 0 : oldest.getTime() + windowMs;
  if (freesAt <= ctx.now().getTime()) return;
  throw new AppError(
    "rate_limited",
    `You may start ${limit} ${limit === 1 ? "run" : "runs"} within ${words}. The next one is possible at ${new Date(freesAt).toISOString()}.`,
    { rule, retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}

const MIB = 1024 * 1024;

/** A version that is about to be stored: who brings it in, whose skill it is (null: not one person's), and what it adds. */
type Addition = { authorId: string; ownerId: string | null; bytes: number; isNewSkill: boolean };

/**
 * Throws when a version would be more than a person may have or bring in: `quota_exceeded` for the number and the size of
 * their skills, `rate_limited` for what they bring in within a day; the quota is the rule. To be asked in the transaction
 * that stores it.
 */
export async function assertSkillQuota(ctx: Ctx, { authorId, ownerId, bytes, isNewSkill }: Addition): Promise<void> {
  if (ownerId !== null) await assertOwnerHasRoom(ctx, ownerId, bytes, isNewSkill);
  const { importMiBPerDay } = await quotasOf(ctx, authorId);
  if (importMiBPerDay === 0) return;
  const { used, first } = await countImported(ctx, authorId);
  if (used + bytes <= importMiBPerDay * MIB) return;
  const freesAt = (first ?? ctx.now()).getTime() + DAY_MS;
  throw new AppError(
    "rate_limited",
    `You may bring in ${importMiBPerDay} MiB within 24 hours, and this would make ${inMiB(used + bytes)}. It begins to free at ${new Date(freesAt).toISOString()}.`,
    { rule: "importMiBPerDay", retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}

async function assertOwnerHasRoom(ctx: Ctx, ownerId: string, bytes: number, isNewSkill: boolean): Promise<void> {
  const { skillsPerPerson, skillMiBPerPerson } = await quotasOf(ctx, ownerId);
  if (isNewSkill && skillsPerPerson > 0 && (await countSkills(ctx, ownerId)) >= skillsPerPerson) {
    throw new AppError(
      "quota_exceeded",
      `One person may own ${skillsPerPerson} skills. Delete one, or ask an admin for more.`,
      { rule: "skillsPerPerson" },
    );
  }
  if (skillMiBPerPerson === 0) return;
  const after = (await countStoredBytes(ctx, ownerId)) + bytes;
  if (after <= skillMiBPerPerson * MIB) return;
  throw new AppError(
    "quota_exceeded",
    `The skills of one person may take ${skillMiBPerPerson} MiB, and this would make ${inMiB(after)}. Delete some, or ask an admin for more.`,
    { rule: "skillMiBPerPerson" },
  );
}

function inMiB(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
