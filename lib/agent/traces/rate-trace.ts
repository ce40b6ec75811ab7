import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { presentTraces } from "./present-traces";
import { getTrace, requireTrace } from "./read-traces";
import type { Rating, TraceDetail } from "./schema";

const WORDS: Record<Rating, string> = { [-1]: "rated down", 0: "took back the rating of", 1: "rated up" };

/**
 * Says whether a use of a skill was of use; 0 takes that back. One’s own uses; reviewers and admins, everybody’s. There is
 * one rating for each use, and the last word counts. Needs the scope `run`.
 */
export async function rateTrace(ctx: Ctx, id: string, rating: Rating): Promise<TraceDetail> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const loaded = await requireTrace(txCtx, id);
    const [trace] = await presentTraces(txCtx, loaded, [id]);
    if (trace === undefined || !trace.mayRate) {
      throw new AppError("forbidden", "Who used a skill rates that use, and so do reviewers.", { rule: "own-traces" });
    }
    if (trace.rating === rating) return;
    const data = { rating, ratedById: rating === 0 ? null : actor.userId };
    const where = { id };
    if (loaded.runs.length > 0) await tx.run.updateMany({ where, data });
    else await tx.agentStep.updateMany({ where, data });
    const name = trace.skill?.name ?? "a skill";
    await recordEvent(tx, txCtx, {
      action: "trace.rate",
      summary: `${WORDS[rating]} a use of ${name}`,
      target: { kind: trace.runId === null ? "agent-step" : "run", id, name },
      ...(trace.skill === null ? {} : { skillId: trace.skill.id }),
      ...(trace.versionDigest === null ? {} : { versionDigest: trace.versionDigest }),
      ...(trace.runId === null ? {} : { runId: trace.runId }),
      data: { rating, before: trace.rating },
    });
  });
  return getTrace(ctx, id);
}
