import { recordRefusal } from "@/lib/audit/record-refusal";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { CancelRunsAnswer, CancelRunsInput } from "@/lib/runner/schema";
import { cancelRun } from "./cancel-run";

type Result = CancelRunsAnswer["results"][number];

/** Cancels up to 100 runs, each by itself: with its own transaction and event, and with its own answer. */
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
    const detail = "Something went wrong on the server. The request id finds it in the log.";
    return { id, ok: false, problem: { code: "internal", detail } };
  }
}
