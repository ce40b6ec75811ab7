import { recordRunEvent } from "@/lib/audit/record-run-event";
import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { PIPELINE_SCOPE } from "@/lib/runner/pipeline-scope";
import { advanceParentOf } from "@/lib/runner/pipelines/advance-pipeline";
import { cancelSteps } from "@/lib/runner/pipelines/cancel-steps";
import { FINAL_STATES, type Run, RunState } from "@/lib/runner/schema";
import { getRun } from "./get-run";
import { requireRun } from "./run-access";

/**
 * Ends a run: at once while it waits, by its worker when it is under way. Cancelling what has ended is `conflict`. People
 * cancel their own runs and admins all; an agent those that its own token asked for. The reason that is given stands in the
 * run's error and in the audit.
 */
export async function cancelRun(ctx: Ctx, id: string, why = ""): Promise<Run> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const run = await requireRun(txCtx, id);
    if (isAgent(actor) && run.tokenId !== actor.tokenId) {
      const detail = "An agent may cancel the runs that its own token asked for, and this is not one of them.";
      throw new AppError("forbidden", detail, { rule: "no-agents" });
    }
    if (run.callerId !== actor.userId && !hasScope(actor, "admin")) {
      throw new AppError("forbidden", `Only ${run.callerName} or an admin may cancel this run.`);
    }
    const state = RunState.parse(run.state);
    if (FINAL_STATES.includes(state)) throw new AppError("conflict", `This run has ended already: it ${state}.`);
    const reason = `Cancelled by ${actor.name}${why === "" ? "." : `: ${why}`}`;
    const isPipeline = run.scope === PIPELINE_SCOPE;
    const waits = state !== "running" || isPipeline;
    const ended = { state: "cancelled", finishedAt: ctx.now(), errorCode: "cancelled", errorMessage: reason };
    await tx.run.update({ where: { id }, data: { cancelReason: reason, ...(waits ? ended : {}) } });
    await recordRunEvent(tx, txCtx, run, {
      action: "run.cancel",
      summary: `cancelled a run of ${run.skill.name}`,
      ...(why === "" ? {} : { data: { reason: why } }),
    });
    if (isPipeline) await cancelSteps(tx, txCtx, id, reason);
    if (waits) await advanceParentOf(tx, txCtx, id);
  });
  wake("work");
  wake(`run:${id}`);
  return getRun(ctx, id);
}
