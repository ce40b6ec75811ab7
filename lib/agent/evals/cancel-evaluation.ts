import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { getEvaluation, requireEvaluation } from "./get-evaluation";
import { runningEvaluations } from "./running-evaluations";
import type { EvaluationDetail } from "./schema";

/** Ends an evaluation that is at work, and the answers it waits for; what was answered stays. `conflict` when it has ended. */
export async function cancelEvaluation(ctx: Ctx, id: string): Promise<EvaluationDetail> {
  requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { row, skill } = await requireEvaluation(txCtx, id);
    const at = ctx.now();
    const { count } = await tx.evalRun.updateMany({
      where: { id, state: "running" },
      data: { state: "cancelled", finishedAt: at, updatedAt: at },
    });
    if (count === 0) throw new AppError("conflict", "This evaluation has ended already.");
    await recordEvent(tx, txCtx, {
      action: "evaluation.cancel",
      concerns: skill.ownerId,
      summary: `stopped the evaluation of ${skill.name}`,
      target: { kind: "evaluation", id, name: skill.name },
      skillId: skill.id,
      versionDigest: row.versionDigest,
      data: { answers: row.results.length },
    });
  });
  // One of another process sees it when it stores its next answer.
  runningEvaluations().get(id)?.abort();
  return getEvaluation(ctx, id);
}
