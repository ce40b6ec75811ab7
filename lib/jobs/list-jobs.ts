import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { processId } from "@/lib/core/process-store";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { JobState } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { type BackgroundJob, JOB_TABLE } from "./job-table";
import { Job, type JobList } from "./schema";
import { jobMemory, type LastRun, LEAD } from "./start-background-work";

/** The background jobs with their last and next run, and the process that executes them. */
export async function listJobs(ctx: Ctx): Promise<JobList> {
  requireScope(ctx.actor, "admin");
  return readJobs(ctx);
}

/** Like `listJobs`, for the server itself, without a check of rights. */
export async function readJobs(ctx: Ctx): Promise<JobList> {
  const states = await ctx.db.jobState.findMany();
  const lease = await ctx.db.leaderLease.findUnique({ where: { name: LEAD } });
  const isLed = lease !== null && lease.until > ctx.now();
  return {
    items: JOB_TABLE.map((job) => presentJob(ctx, job, states.find(({ name }) => name === job.name) ?? null)),
    nextCursor: null,
    leader: isLed
      ? {
          holder: lease.holder,
          until: lease.until.toISOString(),
          isThisProcess: lease.holder === processId(),
        }
      : null,
  };
}

function presentJob(ctx: Ctx, job: BackgroundJob, state: JobState | null): Job {
  const memory = jobMemory();
  const ranAt = Math.max(memory.ranAt.get(job.name) ?? 0, state?.startedAt?.getTime() ?? 0);
  const dueAt = memory.asked.has(job.name) ? ctx.now().getTime() : ranAt + job.everySeconds * 1000;
  return {
    name: job.name,
    title: job.title,
    everySeconds: job.everySeconds,
    running: memory.running.has(job.name),
    last: presentLast(newest(memory.last.get(job.name) ?? null, state)),
    lateSeconds: memory.running.has(job.name) || ranAt === 0 ? 0 : Math.max(0, ctx.now().getTime() - dueAt) / 1000,
    nextAt: new Date(Math.max(dueAt, ctx.now().getTime())).toISOString(),
  };
}

function newest(known: LastRun | null, written: LastRun | null): LastRun | null {
  if (known === null || written === null) return known ?? written;
  return (known.startedAt ?? 0) >= (written.startedAt ?? 0) ? known : written;
}

function presentLast(last: LastRun | null): Job["last"] {
  if (last === null || last.startedAt === null) return null;
  return {
    startedAt: last.startedAt.toISOString(),
    finishedAt: last.finishedAt?.toISOString() ?? null,
    durationMs: last.durationMs,
    outcome: Job.shape.last.unwrap().shape.outcome.parse(last.outcome),
    summary: last.summary,
  };
}

/** Runs a job within a second or two, without waiting for its time. Repeated requests while it waits change nothing. */
export async function requestJob(ctx: Ctx, name: string): Promise<Job> {
  requireScope(ctx.actor, "admin");
  const job = JOB_TABLE.find((row) => row.name === name);
  if (job === undefined) throw new AppError("not_found", `There is no background job “${name.slice(0, 100)}”.`);
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "job.run",
      summary: `asked for the background job “${job.title}”`,
      target: { kind: "job", id: job.name, name: job.title },
    }),
  );
  jobMemory().asked.add(job.name);
  wake(`job:${job.name}`);
  return presentJob(ctx, job, await ctx.db.jobState.findUnique({ where: { name } }));
}
