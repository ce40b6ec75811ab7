import { leastFree } from "@/lib/core/env";
import { isSpaceShort } from "@/lib/core/free-space";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import type { JobState } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Looked } from "./follow-clock";
import type { BackgroundJob } from "./job-table";

/** A run that found nothing to do is written down at most this often: every write waits for the disk. */
const QUIET_MS = 60_000;

/** What one process knows of its jobs: which are under way, which somebody asked for, and when each ran last. */
export type JobMemory = {
  running: Map<string, Promise<void>>;
  asked: Set<string>;
  ranAt: Map<string, number>;
  last: Map<string, LastRun>;
  /** The clock at the last turn with the lead; null before the first. */
  looked: Looked | null;
};

export type LastRun = Pick<JobState, "startedAt" | "finishedAt" | "durationMs" | "outcome" | "summary">;

export function createJobMemory(): JobMemory {
  return { running: new Map(), asked: new Set(), ranAt: new Map(), last: new Map(), looked: null };
}

/** Runs each job that is due or asked for, and not under way; resolves when these have ended. One that fails is tried again when it is due next. */
export async function runDueJobs(ctx: Ctx, jobs: readonly BackgroundJob[], memory: JobMemory): Promise<void> {
  const states = await ctx.db.jobState.findMany();
  const begun = jobs.flatMap((job) => {
    const wroteAt = states.find(({ name }) => name === job.name)?.startedAt ?? null;
    const now = ctx.now().getTime();
    // A run that lies ahead was written down by a clock that has been set back since.
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
    logger.error({ err, job: job.name }, "the run of a background job could not be written down");
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
