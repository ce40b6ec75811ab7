import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentTraces } from "./present-traces";
import { getTrace, requireTrace } from "./read-traces";
import type { Rating, TraceDetail } from "./schema";

const VERBS: Record<Rating, string> = { [-1]: "rated down", 0: "removed the rating of", 1: "rated up" };

/** 0 removes the rating. People rate their own uses; reviewers and admins all. Needs the scope `run`. */
export async function rateTrace(ctx: Ctx, id: string, rating: Rating): Promise<TraceDetail> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const loaded = await requireTrace(txCtx, id);
    const [trace] = await presentTraces(txCtx, loaded, [id]);
    if (trace === undefined || !trace.mayRate) {
      throw new AppError("forbidden", "Only the person who used a skill and reviewers may rate that use.", {
        rule: "own-traces",
      });
    }
    if (trace.rating === rating) return;
    const data = { rating, ratedById: rating === 0 ? null : actor.userId };
    const where = { id };
    if (loaded.runs.length > 0) await tx.run.updateMany({ where, data });
    else await tx.agentStep.updateMany({ where, data });
    const name = trace.skill?.name ?? "a skill";
    await recordEvent(tx, txCtx, {
      action: "trace.rate",
      summary: `${VERBS[rating]} a use of ${name}`,
      target: { kind: trace.runId === null ? "agent-step" : "run", id, name },
      ...(trace.skill === null ? {} : { skillId: trace.skill.id }),
      ...(trace.versionDigest === null ? {} : { versionDigest: trace.versionDigest }),
      ...(trace.runId === null ? {} : { runId: trace.runId }),
      data: { rating, before: trace.rating },
    });
  });
  return getTrace(ctx, id);
}
