import type { Ctx } from "@/lib/db/context";
import { requirePerson, requireScope } from "@/lib/policy/require-scope";
import {
  countImported,
  countRuns,
  countRunsAtOnce,
  countSkills,
  countStoredBytes,
  DAY_MS,
  HOUR_MS,
} from "./count-usage";
import { ownQuotas, quotasOf } from "./quotas-of";
import { QUOTA_KEYS, type QuotaKey, type QuotaList, type QuotaUsage } from "./schema";

const MIB = 1024 * 1024;

type Count = { unit: QuotaUsage["unit"]; windowMs: number | null; count(ctx: Ctx, userId: string): Promise<Used> };
type Used = { used: number; first: Date | null };

const COUNTS: Record<QuotaKey, Count> = {
  skillsPerPerson: {
    unit: "skills",
    windowMs: null,
    count: async (ctx, userId) => ({ used: await countSkills(ctx, userId), first: null }),
  },
  skillMiBPerPerson: {
    unit: "MiB",
    windowMs: null,
    count: async (ctx, userId) => inMiB({ used: await countStoredBytes(ctx, userId), first: null }),
  },
  importMiBPerDay: {
    unit: "MiB",
    windowMs: DAY_MS,
    count: async (ctx, userId) => inMiB(await countImported(ctx, userId)),
  },
  runsPerHour: { unit: "runs", windowMs: HOUR_MS, count: (ctx, userId) => countRuns(ctx, userId, HOUR_MS) },
  runsPerDay: { unit: "runs", windowMs: DAY_MS, count: (ctx, userId) => countRuns(ctx, userId, DAY_MS) },
  runsAtOnce: {
    unit: "runs",
    windowMs: null,
    count: async (ctx, userId) => ({ used: await countRunsAtOnce(ctx, userId), first: null }),
  },
};

/** What somebody may have and do, and how much of it is used: everybody their own, admins anybody's. */
export async function listQuotas(ctx: Ctx, userId: string): Promise<QuotaList> {
  if (requirePerson(ctx.actor).userId === userId) requireScope(ctx.actor, "read");
  else requireScope(ctx.actor, "admin");
  const [limits, own] = [await quotasOf(ctx, userId), await ownQuotas(ctx, userId)];
  const items: QuotaUsage[] = [];
  for (const key of QUOTA_KEYS) {
    const { unit, windowMs, count } = COUNTS[key];
    const { used, first } = await count(ctx, userId);
    items.push({
      key,
      unit,
      windowSeconds: windowMs === null ? null : windowMs / 1000,
      limit: limits[key] === 0 ? null : limits[key],
      own: own[key] !== undefined,
      used,
      freesAt: windowMs === null || first === null ? null : new Date(first.getTime() + windowMs).toISOString(),
    });
  }
  return { items, nextCursor: null };
}

function inMiB({ used, first }: Used): Used {
  return { used: Math.round((used / MIB) * 10) / 10, first };
}
