import { recordEvent } from "@/lib/audit/record-event";
import { replanSyncs } from "@/lib/catalog/sync/queue-sync";
import { leastFree } from "@/lib/core/env";
import { isSpaceShort } from "@/lib/core/free-space";
import { logger } from "@/lib/core/logger";
import { processId, processStore } from "@/lib/core/process-store";
import { onWake } from "@/lib/core/wake-bus";
import { type Ctx, inTransaction } from "@/lib/db/context";
import type { JobState } from "@/lib/db/generated/client";
import { adjustLeasesToClock } from "@/lib/runner/leases/adjust-leases-to-clock";
import { replanSchedules } from "@/lib/runner/schedules/start-due-schedules";
import { type BackgroundJob, JOB_TABLE } from "./job-table";

export const LEAD = "background-work";
const LEASE_MS = 30_000;
const RENEW_BELOW_MS = 20_000;
/** A lease that ends later than this was written before the clock was set back, and is void. */
const AHEAD_MS = 2 * LEASE_MS;

/** Smaller clock corrections are ignored; a lease lasts three times as long. */
const JUMP_MS = 5_000;

type Memory = { clock: ClockReading | null };

/** A reading of the clock and of a monotonic clock (both in ms). */
type ClockReading = { wall: number; steady: number };

/** A run without work is stored at most this often, since every write waits for the disk. */
const QUIET_MS = 60_000;

type JobMemory = {
  running: Map<string, Promise<void>>;
  asked: Set<string>;
  ranAt: Map<string, number>;
  last: Map<string, LastRun>;
  /** The clock when this process last checked it as the leader; null before the first check. */
  clock: ClockReading | null;
};

export type LastRun = Pick<JobState, "startedAt" | "finishedAt" | "durationMs" | "outcome" | "summary">;

const TICK_MS = 1_000;
const STOP_MS = 2_000;

export function jobMemory(): JobMemory {
  return processStore("job-memory", createJobMemory);
}

/** Executes background jobs whenever this process has the lead. `stop` waits briefly for running jobs. */
export function startBackgroundWork(ctx: Ctx): { stop(): Promise<void> } {
  const holder = processId();
  const memory = jobMemory();
  const tick = async () => {
    if (!(await holdLead(ctx, holder))) return;
    await checkClock(ctx, memory);
    await runDueJobs(ctx, JOB_TABLE, memory);
  };
  const onTick = () => tick().catch((err: unknown) => logger.error({ err }, "the background work failed"));
  const timer = setInterval(onTick, TICK_MS);
  const unsubscribers = JOB_TABLE.map(({ name }) => onWake(`job:${name}`, () => memory.asked.add(name)));
  return {
    stop: async () => {
      clearInterval(timer);
      for (const stop of unsubscribers) stop();
      const patience = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      const ends = [...memory.running.values(), ...JOB_TABLE.map((job) => job.stop?.())];
      await Promise.race([Promise.allSettled(ends), patience]);
      await releaseLead(ctx, holder);
    },
  };
}

export function createJobMemory(): JobMemory {
  return { running: new Map(), asked: new Set(), ranAt: new Map(), last: new Map(), clock: null };
}

/** Runs each job that is due or requested and not running; resolves when these have ended. Failed jobs are retried when due. */
export async function runDueJobs(ctx: Ctx, jobs: readonly BackgroundJob[], memory: JobMemory): Promise<void> {
  const states = await ctx.db.jobState.findMany();
  const begun = jobs.flatMap((job) => {
    const wroteAt = states.find(({ name }) => name === job.name)?.startedAt ?? null;
    const now = ctx.now().getTime();
    // A run in the future was stored before the clock was set back.
    const lastRun = Math.max(
      ...[memory.ranAt.get(job.name) ?? 0, wroteAt?.getTime() ?? 0].filter((at) => at <= now),
      0,
    );
    const isAsked = memory.asked.has(job.name);
    const isDue = isAsked || lastRun + job.everySeconds * 1000 <= now;
    if (memory.running.has(job.name) || !isDue) return [];
    memory.asked.delete(job.name);
    memory.ranAt.set(job.name, now);
    const run = runJob(ctx, job, { memory, wroteAt: isAsked ? null : wroteAt }).finally(() =>
      memory.running.delete(job.name),
    );
    memory.running.set(job.name, run);
    return [run];
  });
  await Promise.all(begun);
}

async function runJob(
  ctx: Ctx,
  job: BackgroundJob,
  { memory, wroteAt }: { memory: JobMemory; wroteAt: Date | null },
): Promise<void> {
  const startedAt = ctx.now();
  const clock = performance.now();
  try {
    const outcome = await attempt(ctx, job);
    const last = { startedAt, finishedAt: ctx.now(), durationMs: Math.round(performance.now() - clock), ...outcome };
    memory.last.set(job.name, last);
    const isQuiet = outcome.outcome === "ok" && outcome.summary === null;
    const sinceWrite = wroteAt === null ? QUIET_MS : startedAt.getTime() - wroteAt.getTime();
    if (isQuiet && sinceWrite >= 0 && sinceWrite < QUIET_MS) return;
    const data = { ...last, nextAt: new Date(startedAt.getTime() + job.everySeconds * 1000) };
    await inTransaction(ctx, (tx) =>
      tx.jobState.upsert({ where: { name: job.name }, create: { name: job.name, ...data }, update: data }),
    );
  } catch (err) {
    logger.error({ err, job: job.name }, "the run of a background job could not be stored");
  }
}

async function attempt(ctx: Ctx, job: BackgroundJob): Promise<{ outcome: "ok" | "failed"; summary: string | null }> {
  if (job.takesSpace && isSpaceShort(ctx.database.workFolder, leastFree())) return { outcome: "ok", summary: null };
  try {
    return { outcome: "ok", summary: await job.run(ctx) };
  } catch (err) {
    logger.error({ err, job: job.name }, "a background job failed");
    return { outcome: "failed", summary: err instanceof Error ? err.message : String(err) };
  }
}

/** Checks the clock, and adjusts to it when it was moved since the last check, or at the first check. */
export async function checkClock(ctx: Ctx, memory: Memory): Promise<void> {
  const looked = { wall: ctx.now().getTime(), steady: performance.now() };
  const jump = clockJump(memory.clock, looked);
  if (memory.clock === null || jump !== 0) await adjustToClock(ctx, jump);
  memory.clock = looked;
}

/** How far the clock was moved since `last`, in ms; 0 when it was not. A suspended machine counts as moved forwards. */
function clockJump(last: ClockReading | null, now: ClockReading): number {
  if (last === null) return 0;
  const jump = now.wall - last.wall - (now.steady - last.steady);
  return Math.abs(jump) < JUMP_MS ? 0 : jump;
}

/**
 * Corrects times that were set before the clock was moved: running work gets a new lease instead of being lost, and plans
 * that are now far ahead are recomputed. Expiry times, such as those of sessions and capability URLs, stay and follow the
 * current clock.
 */
async function adjustToClock(ctx: Ctx, jumpMs: number): Promise<void> {
  if (jumpMs !== 0) logger.warn({ jumpMs }, "the clock was moved");
  await inTransaction(ctx, async (tx, txCtx) => {
    await adjustLeasesToClock(txCtx, jumpMs);
    await replanSchedules(txCtx);
    await replanSyncs(txCtx);
    if (jumpMs === 0) return;
    const seconds = Math.round(Math.abs(jumpMs) / 1000);
    await recordEvent(tx, txCtx, {
      action: "server.clock",
      summary: `noticed that the clock was moved ${jumpMs > 0 ? "forwards" : "back"} by ${seconds} s`,
      data: { jumpMs },
    });
  });
}

/** Takes or renews the lead for `holder` for 30 seconds; returns whether it has it. Writes only when necessary. */
export async function holdLead(ctx: Ctx, holder: string): Promise<boolean> {
  const now = ctx.now().getTime();
  const current = await ctx.db.leaderLease.findUnique({ where: { name: LEAD } });
  const left = current === null ? 0 : current.until.getTime() - now;
  if (current?.holder === holder && left > RENEW_BELOW_MS) return true;
  if (current !== null && current.holder !== holder && left > 0 && left <= AHEAD_MS) return false;
  return inTransaction(ctx, async (tx) => {
    const until = new Date(now + LEASE_MS);
    const isOver = [{ until: { lte: ctx.now() } }, { until: { gt: new Date(now + AHEAD_MS) } }];
    const free = { name: LEAD, OR: [{ holder }, ...isOver] };
    const taken = await tx.leaderLease.updateMany({ where: free, data: { holder, until } });
    if (taken.count > 0) return true;
    if ((await tx.leaderLease.findUnique({ where: { name: LEAD } })) !== null) return false;
    await tx.leaderLease.create({ data: { name: LEAD, holder, until } });
    return true;
  });
}

/** Releases the lead at an orderly shutdown, so that the next process need not wait for the lease to run out. */
export async function releaseLead(ctx: Ctx, holder: string): Promise<void> {
  await inTransaction(ctx, (tx) => tx.leaderLease.deleteMany({ where: { name: LEAD, holder } }));
}
