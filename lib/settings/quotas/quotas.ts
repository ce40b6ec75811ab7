import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { cachedSettings } from "../settings";
import { OwnQuotas, QUOTA_KEYS, type Quotas } from "./schema";

const OWN = query<{ quotas: string }>(`SELECT "quotas" FROM "User" WHERE "id" = ?`);

export async function ownQuotas(ctx: Ctx, userId: string): Promise<OwnQuotas> {
  const row = await sqlOf(ctx).get(OWN, userId);
  return row === undefined ? {} : keepParsed(OwnQuotas, row.quotas);
}

/** The quotas in effect: the person's own over the settings, which may be five seconds old. */
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
   WHERE v."createdById" = ? AND v."createdAt" > ? AND v."id" > ?`,
  { first: "date" },
);
/** Without steps of pipelines: they count as part of the run that was asked for. */
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

/** Bytes of all versions of the skills that a person owns. Files that versions share count for each. */
export async function countStoredBytes(ctx: Ctx, userId: string): Promise<number> {
  return Number((await sqlOf(ctx).get(BYTES, userId))?.bytes ?? 0);
}

/** Bytes that a person imported within a day, for any owner. */
export async function countImported(ctx: Ctx, userId: string): Promise<Counted> {
  const since = ctx.now().getTime() - DAY_MS;
  const row = await sqlOf(ctx).get(IMPORTED, userId, new Date(since), firstIdSince(since));
  return { used: Number(row?.bytes ?? 0), first: row?.first ?? null };
}

export async function countRuns(ctx: Ctx, userId: string, windowMs: number): Promise<Counted> {
  const since = ctx.now().getTime() - windowMs;
  const row = await sqlOf(ctx).get(RUNS, userId, new Date(since), firstIdSince(since));
  return { used: row?.count ?? 0, first: row?.first ?? null };
}

export async function countRunsAtOnce(ctx: Ctx, userId: string): Promise<number> {
  return (await sqlOf(ctx).get(AT_ONCE, "queued", "running", userId))?.count ?? 0;
}

/** The first id of a time: ids begin with their creation time in milliseconds. One hour of margin for clock differences. */
function firstIdSince(atMs: number): string {
  const hex = Math.max(0, Math.floor(atMs - HOUR_MS))
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const RETRY_SECONDS = 5;

/** Throws `rate_limited` with the quota as rule. Call it in the transaction that stores the run, to exclude races. */
export async function assertRunQuota(ctx: Ctx, userId: string): Promise<void> {
  const { runsPerHour, runsPerDay, runsAtOnce } = await quotasOf(ctx, userId);
  await assertWindow(ctx, userId, { limit: runsPerHour, windowMs: HOUR_MS, rule: "runsPerHour", label: "an hour" });
  await assertWindow(ctx, userId, { limit: runsPerDay, windowMs: DAY_MS, rule: "runsPerDay", label: "24 hours" });
  if (runsAtOnce === 0 || (await countRunsAtOnce(ctx, userId)) < runsAtOnce) return;
  throw new AppError(
    "rate_limited",
    `${runsAtOnce} of your runs are queued or running, which is the limit. Wait until one of them ends.`,
    { rule: "runsAtOnce", retryAfterSeconds: RETRY_SECONDS },
  );
}

type Window = { limit: number; windowMs: number; rule: string; label: string };

async function assertWindow(ctx: Ctx, userId: string, { limit, windowMs, rule, label }: Window): Promise<void> {
  if (limit === 0) return;
  const oldest = await sqlOf(ctx).get(NTH_NEWEST, userId, limit - 1);
  const freesAt = oldest === undefined ? 0 : oldest.queuedAt.getTime() + windowMs;
  if (freesAt <= ctx.now().getTime()) return;
  throw new AppError(
    "rate_limited",
    `You may start ${limit} ${limit === 1 ? "run" : "runs"} within ${label}. The next one is possible at ${new Date(freesAt).toISOString()}.`,
    { rule, retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}

const MIB = 1024 * 1024;

/** A version to be stored. `ownerId` is null when the skill does not belong to one person. */
type NewVersion = { authorId: string; ownerId: string | null; bytes: number; isNewSkill: boolean };

/** Throws `quota_exceeded` for the owner's skills, `rate_limited` for the author's imports. Call in the transaction. */
export async function assertSkillQuota(ctx: Ctx, version: NewVersion): Promise<void> {
  const { authorId, ownerId, bytes, isNewSkill } = version;
  if (ownerId !== null) await assertOwnerQuota(ctx, ownerId, bytes, isNewSkill);
  const { importMiBPerDay } = await quotasOf(ctx, authorId);
  if (importMiBPerDay === 0) return;
  const { used, first } = await countImported(ctx, authorId);
  if (used + bytes <= importMiBPerDay * MIB) return;
  const freesAt = (first ?? ctx.now()).getTime() + DAY_MS;
  throw new AppError(
    "rate_limited",
    `You may import ${importMiBPerDay} MiB within 24 hours; this version would make it ${inMiB(used + bytes)}. Try again after ${new Date(freesAt).toISOString()}.`,
    { rule: "importMiBPerDay", retryAfterSeconds: Math.max(1, (freesAt - ctx.now().getTime()) / 1000) },
  );
}

async function assertOwnerQuota(ctx: Ctx, ownerId: string, bytes: number, isNewSkill: boolean): Promise<void> {
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
    `The skills of one person may take ${skillMiBPerPerson} MiB; this version would make it ${inMiB(after)}. Delete some, or ask an admin for more.`,
    { rule: "skillMiBPerPerson" },
  );
}

function inMiB(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
