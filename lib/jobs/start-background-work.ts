import { logger } from "@/lib/core/logger";
import { processId } from "@/lib/core/process-id";
import { processStore } from "@/lib/core/process-store";
import { onWake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { lookAtClock } from "./follow-clock";
import { giveUpLead, holdLead } from "./hold-lead";
import { JOB_TABLE } from "./job-table";
import { createJobMemory, type JobMemory, runDueJobs } from "./run-due-jobs";

const TICK_MS = 1_000;
const STOP_MS = 2_000;

/** What this process knows of the jobs it ran. */
export function jobMemory(): JobMemory {
  return processStore("job-memory", createJobMemory);
}

/** Does the background work from now on, whenever this process has the lead. `stop` waits a moment for what is under way. */
export function startBackgroundWork(ctx: Ctx): { stop(): Promise<void> } {
  const holder = processId();
  const memory = jobMemory();
  const tick = async () => {
    if (!(await holdLead(ctx, holder))) return;
    await lookAtClock(ctx, memory);
    await runDueJobs(ctx, JOB_TABLE, memory);
  };
  const onTick = () => tick().catch((err: unknown) => logger.error({ err }, "the background work could not go on"));
  const timer = setInterval(onTick, TICK_MS);
  const deaf = JOB_TABLE.map(({ name }) => onWake(`job:${name}`, () => memory.asked.add(name)));
  return {
    stop: async () => {
      clearInterval(timer);
      for (const stop of deaf) stop();
      const patience = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      const ends = [...memory.running.values(), ...JOB_TABLE.map((job) => job.stop?.())];
      await Promise.race([Promise.allSettled(ends), patience]);
      await giveUpLead(ctx, holder);
    },
  };
}
