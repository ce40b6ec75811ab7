import { recordRunEvent } from "@/lib/audit/record-run-event";
import type { Ctx, Tx } from "@/lib/db/context";
import { wakeAfterCommit } from "../leases/wake-after-commit";
import { PIPELINE_SCOPE } from "../pipeline-scope";
import { isOver, loadSteps } from "./load-pipeline";

/**
 * Ends what is under way below a pipeline that has ended: at once what waits, by its worker what runs, and below nested
 * pipelines the same.
 */
export async function cancelSteps(tx: Tx, ctx: Ctx, parentRunId: string, reason: string): Promise<void> {
  for (const step of await loadSteps({ db: tx }, parentRunId)) {
    if (isOver(step)) continue;
    const isHeld = step.state === "running" && step.scope !== PIPELINE_SCOPE;
    const ended = { state: "cancelled", finishedAt: ctx.now(), errorCode: "cancelled", errorMessage: reason };
    await tx.run.update({ where: { id: step.id }, data: { cancelReason: reason, ...(isHeld ? {} : ended) } });
    const summary = `cancelled a run of ${step.skill.name} with its pipeline`;
    const worker = step.workerId === null ? null : await tx.worker.findUnique({ where: { id: step.workerId } });
    await recordRunEvent(tx, ctx, { ...step, worker }, { action: "run.cancel", summary, data: { reason } });
    if (step.scope === PIPELINE_SCOPE) await cancelSteps(tx, ctx, step.id, reason);
    wakeAfterCommit(ctx, ["work", `run:${step.id}`]);
  }
}
