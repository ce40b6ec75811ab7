import { recordRunEvent } from "@/lib/audit/record-run-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { requireApproved } from "@/lib/review/require-approved";
import { requireSkill } from "@/lib/skills/skill-access";
import { endUnstartedRun, moveRun, type UnstartedRun } from "./end-unstarted-run";
import { advancePipeline } from "./pipelines/advance-pipeline";
import { recheckRun } from "./recheck-run";
import { whyNotOffered } from "./why-not-offered";

type ParkedRun = UnstartedRun &
  Parameters<typeof recheckRun>[1] & { versionId: string; subject: string; gateRule: string | null };

/**
 * Queues a parked run once enough people have signed it, exactly once, and only if all that it was asked under still
 * holds; else it ends as failed, with the reason. Answers `waiting` while signatures are missing.
 */
export async function releaseRun(tx: Tx, ctx: Ctx, run: ParkedRun): Promise<"started" | "waiting" | "refused"> {
  const recheck = await recheckRun(ctx, run);
  if (recheck.verdict === "wait") return "waiting";
  const reason = recheck.verdict === "refuse" ? recheck.message : await whyNotServed(ctx, run, recheck.caller);
  if (reason !== null) {
    await endUnstartedRun(tx, ctx, run, {
      state: "failed",
      error: { code: "not_permitted", message: reason },
      event: {
        action: "run.refuse",
        outcome: "refused",
        decision: "refuse",
        summary: `did not start ${run.skill.name}: ${reason}`,
      },
    });
    return "refused";
  }
  await moveRun(tx, run, { state: "queued", queuedAt: ctx.now() });
  await recordRunEvent(tx, ctx, run, {
    action: "run.start",
    decision: "allow",
    rule: run.gateRule,
    approvers: await approversOf(tx, run.id),
    summary: `started ${run.skill.name} for ${run.callerName}, as approved`,
  });
  await advancePipeline(tx, ctx, run.id);
  return "started";
}

async function approversOf(tx: Tx, runId: string): Promise<{ id: string; name: string }[]> {
  const signed = await tx.runDecision.findMany({ where: { runId, decision: "approve" }, orderBy: { id: "asc" } });
  return signed.map(({ actorId, actorName }) => ({ id: actorId, name: actorName }));
}

/** Why the version that was asked for is not the one that serves the caller now; null when it is. */
async function whyNotServed(ctx: Ctx, run: ParkedRun, caller: PersonActor | null): Promise<string | null> {
  if (caller === null) return null;
  try {
    const asCaller = { ...ctx, actor: caller };
    const approved = await requireApproved(asCaller, await requireSkill(asCaller, run.skillId));
    const isSame = approved.version.id === run.versionId && approved.subject === run.subject;
    if (!isSame) return `“${run.skill.name}” has another approved version now; ask for the run again.`;
    return await whyNotOffered(ctx, caller, run.skillId);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
