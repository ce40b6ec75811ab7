import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { JOB_TABLE } from "./job-table";
import { presentJob } from "./list-jobs";
import type { Job } from "./schema";
import { jobMemory } from "./start-background-work";

/** Has a job run within a second or two, without waiting for its time. Asking again while it waits changes nothing. */
export async function askForJob(ctx: Ctx, name: string): Promise<Job> {
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
  // Whichever process does the background work hears of it.
  wake(`job:${job.name}`);
  return presentJob(ctx, job, await ctx.db.jobState.findUnique({ where: { name } }));
}
