import { recordEvent } from "@/lib/audit/record-event";
import { getUserRow } from "@/lib/auth/people/users";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requirePerson, requireScope } from "@/lib/policy/require-scope";
import {
  countImported,
  countRuns,
  countRunsAtOnce,
  countSkills,
  countStoredBytes,
  DAY_MS,
  HOUR_MS,
  ownQuotas,
  quotasOf,
} from "./quotas";
import { OwnQuotas, type PatchQuotasInput, QUOTA_KEYS, type QuotaKey, type QuotaList, type QuotaUsage } from "./schema";

export async function getPersonQuotas(ctx: Ctx, id: string): Promise<QuotaList> {
  await getUserRow(ctx, id);
  return listQuotas(ctx, id);
}

const MIB = 1024 * 1024;

type Count = { unit: QuotaUsage["unit"]; windowMs: number | null; count(ctx: Ctx, userId: string): Promise<Used> };
type Used = { used: number; first: Date | null };

const total = (used: number): Used => ({ used, first: null });
const COUNTS: Record<QuotaKey, Count> = {
  skillsPerPerson: { unit: "skills", windowMs: null, count: async (ctx, id) => total(await countSkills(ctx, id)) },
  skillMiBPerPerson: {
    unit: "MiB",
    windowMs: null,
    count: async (ctx, id) => inMiB(total(await countStoredBytes(ctx, id))),
  },
  importMiBPerDay: { unit: "MiB", windowMs: DAY_MS, count: async (ctx, id) => inMiB(await countImported(ctx, id)) },
  runsPerHour: { unit: "runs", windowMs: HOUR_MS, count: (ctx, id) => countRuns(ctx, id, HOUR_MS) },
  runsPerDay: { unit: "runs", windowMs: DAY_MS, count: (ctx, id) => countRuns(ctx, id, DAY_MS) },
  runsAtOnce: { unit: "runs", windowMs: null, count: async (ctx, id) => total(await countRunsAtOnce(ctx, id)) },
};

/** Quotas with their usage: people see their own, admins those of every person. */
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

/** Sets quotas of one person, or resets them to the settings (null), from the next request on. */
export async function updateQuotas(ctx: Ctx, input: { userId: string; patch: PatchQuotasInput }): Promise<QuotaList> {
  requireScope(ctx.actor, "admin");
  const { userId, patch } = input;
  return inTransaction(ctx, async (tx, txCtx) => {
    const person = await tx.user.findUnique({ where: { id: userId }, select: { name: true } });
    if (person === null) throw new AppError("not_found", `There is no person ${userId}.`);
    const before: Record<string, number | undefined> = await ownQuotas(txCtx, userId);
    const changes = Object.entries(patch).filter(([key, value]) => (before[key] ?? null) !== value);
    if (changes.length > 0) {
      const merged = Object.entries({ ...before, ...Object.fromEntries(changes) }).filter(
        ([, value]) => value !== null,
      );
      const quotas = OwnQuotas.parse(Object.fromEntries(merged));
      await tx.user.update({ where: { id: userId }, data: { quotas: JSON.stringify(quotas), updatedAt: ctx.now() } });
      const parts = changes.map(([key, value]) => `${key} to ${value === null ? "the value in the settings" : value}`);
      await recordEvent(tx, txCtx, {
        action: "user.quotas",
        summary: `set quotas of ${person.name}: ${parts.join(", ")}`,
        concerns: userId,
        target: { kind: "user", id: userId, name: person.name },
        data: {
          before: Object.fromEntries(changes.map(([key]) => [key, before[key] ?? null])),
          after: Object.fromEntries(changes),
        },
      });
    }
    return listQuotas(txCtx, userId);
  });
}
