import { recordRefusedRun } from "@/lib/audit/record-run-event";
import { findCaller } from "@/lib/auth/people/find-caller";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Prisma, Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { describeRefusedRun } from "../describe-refused-run";
import { cancelRun } from "../runs/cancel-runs";
import { startRun } from "../runs/start-run";
import { FINAL_STATES, type Run, RunState } from "../schema";
import { nextTime } from "./next-times";
import { mayChange, notYours, requireSchedule } from "./schedules";

/** A time that is processed later than this counts as missed. */
const LATE_MS = 120_000;

const KEEP_MS = 7 * 24 * 3_600_000;

const MAX_CHECKED = 20;

/** Errors that stop the schedule: its owner must fix them first. */
const STOPPING_ERRORS: readonly string[] = ["not_found", "forbidden", "unauthenticated"];

type Change = Prisma.ScheduleUpdateInput;

type Due = { at: Date; isMissed: boolean };

type Start = { row: ScheduleRow; at: Date; change: Change; words: string; cancel?: readonly string[] };

type Refusal = { action: "schedule.refuse" | "schedule.stop"; caller: Ctx; why: string };

type Stop = Pick<Refusal, "caller" | "why">;

const BATCH = 100;

/** Starts the runs of due schedules, each due time once; returns their number. An error in one does not affect others. */
export async function startDueSchedules(ctx: Ctx): Promise<number> {
  const due = await ctx.db.schedule.findMany({
    where: {
      OR: [
        { enabled: true, nextAt: { lte: ctx.now() } },
        { enabled: true, heldAt: { not: null } },
      ],
    },
    orderBy: { nextAt: "asc" },
    select: { id: true },
    take: BATCH,
  });
  let started = 0;
  for (const { id } of due) {
    try {
      if (await fireSchedule(ctx, id)) started += 1;
    } catch (err) {
      logger.error({ err, schedule: id }, "a due schedule could not be processed");
    }
  }
  if (started > 0) wake("work");
  return started;
}

/** Processes one due schedule in one transaction, making up for one missed time at most. Returns whether a run started. */
function fireSchedule(ctx: Ctx, id: string): Promise<boolean> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.schedule.findUnique({ where: { id } });
    if (!row?.enabled) return false;
    const going = await openRuns(tx, id);
    if (row.heldAt !== null && going.length === 0) {
      return startAsOwner(tx, txCtx, {
        row,
        at: row.heldAt,
        change: { heldAt: null },
        words: "Started after the previous run.",
      });
    }
    if (row.nextAt === null || row.nextAt > ctx.now()) return false;
    const due = findDue(row, row.nextAt, ctx.now());
    const change: Change = { nextAt: nextTime(row, ctx.now()) };
    if (!(await claim(tx, row, { at: due.at, now: ctx.now() }))) return skipRun(tx, row, change);
    if (due.isMissed && !row.catchUp) {
      return skipRun(tx, row, {
        ...change,
        lastOutcome: `Missed ${utc(due.at)}: the server was not running.`,
      });
    }
    if (going.length > 0 && row.overlap === "queue") {
      if (row.heldAt === null)
        return skipRun(tx, row, { ...change, heldAt: due.at, lastOutcome: "Waits for the previous run." });
      return skipRun(tx, row, {
        ...change,
        lastOutcome: `Skipped ${utc(due.at)}: another run is already waiting.`,
      });
    }
    if (going.length > 0 && row.overlap === "skip") {
      return skipRun(tx, row, {
        ...change,
        lastOutcome: `Skipped ${utc(due.at)}: the previous run had not ended.`,
      });
    }
    const words = due.isMissed ? `Started late: ${utc(due.at)} was missed.` : "Started on time.";
    return startAsOwner(tx, txCtx, { row, at: due.at, change, words, cancel: going });
  });
}

function findDue(row: ScheduleRow, nextAt: Date, now: Date): Due {
  const since = new Date(now.getTime() - LATE_MS);
  if (nextAt >= since) return { at: nextAt, isMissed: false };
  const recent = nextTime(row, since);
  return recent !== null && recent <= now ? { at: recent, isMissed: false } : { at: nextAt, isMissed: true };
}

async function openRuns(tx: Tx, scheduleId: string): Promise<string[]> {
  const select = { id: true, state: true };
  const runs = await tx.run.findMany({ where: { scheduleId }, orderBy: { id: "desc" }, take: MAX_CHECKED, select });
  return runs.filter(({ state }) => !FINAL_STATES.includes(RunState.parse(state))).map((run) => run.id);
}

async function claim(tx: Tx, { id: scheduleId }: ScheduleRow, { at, now }: { at: Date; now: Date }): Promise<boolean> {
  const key = { scheduleId, dueAt: at };
  if ((await tx.scheduleFiring.findUnique({ where: { scheduleId_dueAt: key } })) !== null) return false;
  await tx.scheduleFiring.create({ data: { ...key, at: now } });
  const old = new Date(now.getTime() - KEEP_MS);
  await tx.scheduleFiring.deleteMany({ where: { scheduleId, at: { lt: old } } });
  return true;
}

async function skipRun(tx: Tx, { id }: ScheduleRow, data: Change): Promise<false> {
  await tx.schedule.update({ where: { id }, data });
  return false;
}

async function startAsOwner(tx: Tx, ctx: Ctx, { row, at, change, words, cancel = [] }: Start): Promise<boolean> {
  const owner = await findCaller(ctx, { userId: row.ownerId, tokenId: row.tokenId, sessionId: null });
  if (owner === null) {
    const whose =
      row.tokenId === null
        ? "is no longer active"
        : "is no longer active, or the token that created it is no longer valid";
    return stop(tx, ctx, row, { caller: ctx, why: `${row.ownerName} ${whose}.` });
  }
  const asOwner: Ctx = { ...ctx, actor: owner };
  try {
    for (const id of cancel) await cancelRun(asOwner, id, `the schedule “${row.name}” was due again`);
    const asked = { args: parseJsonColumn(JsonObject, row.args), wait: 0, ...targetOf(row) };
    const started = await startRun(asOwner, row.skillId, asked, row);
    if (!("run" in started)) throw new Error("asked for a run, but got a dry run");
    const { id: lastRunId, state } = started.run;
    const lastOutcome = state === "awaiting_approval" ? "Waits for approval." : words;
    await tx.schedule.update({ where: { id: row.id }, data: { ...change, lastAt: ctx.now(), lastRunId, lastOutcome } });
    await tx.scheduleFiring.updateMany({ where: { scheduleId: row.id, dueAt: at }, data: { runId: lastRunId } });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (STOPPING_ERRORS.includes(error.code)) return stop(tx, ctx, row, { caller: asOwner, why: error.message });
    const lastOutcome =
      error.code === "confirmation_required"
        ? "Not started: this version waits for its owner’s confirmation."
        : `Not started: ${error.message}`;
    await refuse(tx, ctx, row, { action: "schedule.refuse", caller: asOwner, why: lastOutcome });
    return skipRun(tx, row, { ...change, lastOutcome });
  }
}

async function stop(tx: Tx, ctx: Ctx, row: ScheduleRow, { caller, why }: Stop): Promise<false> {
  await refuse(tx, ctx, row, { action: "schedule.stop", caller, why: `Stopped: ${why}` });
  const data = { enabled: false, nextAt: null, heldAt: null, stopReason: why, lastOutcome: `Stopped: ${why}` };
  return skipRun(tx, row, data);
}

async function refuse(tx: Tx, ctx: Ctx, row: ScheduleRow, { action, caller, why }: Refusal): Promise<void> {
  // Repeated failures for the same reason are recorded once.
  if (row.lastOutcome === why) return;
  const asked = { idOrName: row.skillId, args: parseJsonColumn(JsonObject, row.args), ...targetOf(row) };
  await recordRefusedRun(tx, ctx, await describeRefusedRun(caller, asked), {
    action,
    outcome: "refused",
    summary: `did not start the schedule “${row.name}”. ${why}`,
    target: { kind: "schedule", id: row.id, name: row.name },
    concerns: row.ownerId,
  });
}

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Starts a run of a schedule now, as its owner. Errors as in `startRun`, and `confirmation_required` without confirmation. */
export async function runSchedule(ctx: Ctx, id: string): Promise<Run> {
  const actor = requireScope(ctx.actor, "run");
  const run = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSchedule(txCtx, id);
    if (!mayChange(actor, row)) throw notYours(row);
    const asked = { args: parseJsonColumn(JsonObject, row.args), wait: 0, ...targetOf(row) };
    const started = await startRun(txCtx, row.skillId, asked, row);
    if (!("run" in started)) throw new Error("asked for a run, but got a dry run");
    const outcome = { lastAt: ctx.now(), lastRunId: started.run.id, lastOutcome: "Started manually." };
    await tx.schedule.update({ where: { id }, data: outcome });
    return started.run;
  });
  // Listeners that were woken before the commit saw no change.
  wake("work");
  return run;
}

export function targetOf({ workerId }: { workerId: string | null }): { workerId?: string } {
  return workerId === null ? {} : { workerId };
}

/** Recomputes next times that were computed while the clock was ahead. Processed times are not processed twice. */
export async function replanSchedules(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const rows = await tx.schedule.findMany({
      where: { enabled: true, nextAt: { gt: ctx.now() } },
      select: { id: true, cron: true, timeZone: true, nextAt: true },
    });
    for (const row of rows) {
      const nextAt = nextTime(row, ctx.now());
      if (nextAt === null || row.nextAt === null || nextAt >= row.nextAt) continue;
      await tx.schedule.update({ where: { id: row.id }, data: { nextAt } });
    }
  });
}
