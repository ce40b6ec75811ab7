import { recordRefusal } from "@/lib/audit/record-refusal";
import { recordRunEvent } from "@/lib/audit/record-run-event";
import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { advanceParentOf } from "@/lib/runner/pipelines/advance-pipeline";
import { cancelSteps } from "@/lib/runner/pipelines/end-pipeline";
import {
  type CancelRunsAnswer,
  type CancelRunsInput,
  FINAL_STATES,
  PIPELINE_SCOPE,
  type Run,
  RunState,
} from "@/lib/runner/schema";
import { getRun } from "./get-run";
import { requireRun } from "./load-runs";

type Result = CancelRunsAnswer["results"][number];

/** Cancels up to 100 runs, each with its own transaction, audit event and result. */
export async function cancelRuns(ctx: Ctx, { ids, reason }: CancelRunsInput): Promise<CancelRunsAnswer> {
  requireScope(ctx.actor, "run");
  const results: Result[] = [];
  for (const id of new Set(ids)) results.push(await cancelOne(ctx, id, reason));
  return { results };
}

async function cancelOne(ctx: Ctx, id: string, reason: string): Promise<Result> {
  try {
    return { id, ok: true, run: await cancelRun(ctx, id, reason) };
  } catch (thrown) {
    if (thrown instanceof AppError) {
      if (thrown.status === 403) {
        await recordRefusal(ctx, { method: "POST", path: `/api/runs/${id}/cancel`, error: thrown });
      }
      return { id, ok: false, problem: { code: thrown.code, detail: thrown.message } };
    }
    logger.error({ requestId: ctx.request.requestId, runId: id, err: thrown }, "a run could not be cancelled");
    const detail = "An unexpected error occurred on the server. Search its log for the request id.";
    return { id, ok: false, problem: { code: "internal", detail } };
  }
}

/**
 * Ends a run: at once while it waits, through its worker when it is running. `conflict` when it has ended. People may
 * cancel their own runs and admins all; an agent only those of its own token. The given reason is stored in the run's error
 * and in the audit log.
 */
export async function cancelRun(ctx: Ctx, id: string, why = ""): Promise<Run> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const run = await requireRun(txCtx, id);
    if (isAgent(actor) && run.tokenId !== actor.tokenId) {
      const detail = "An agent may only cancel runs that its own token started, and this is not one of them.";
      throw new AppError("forbidden", detail, { rule: "no-agents" });
    }
    if (run.callerId !== actor.userId && !hasScope(actor, "admin")) {
      throw new AppError("forbidden", `Only ${run.callerName} or an admin may cancel this run.`);
    }
    const state = RunState.parse(run.state);
    if (FINAL_STATES.includes(state)) throw new AppError("conflict", `This run has already ended: it ${state}.`);
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
