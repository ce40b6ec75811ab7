import { recordRunEvent } from "@/lib/audit/record-run-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { wake } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireApproved } from "@/lib/review/run-approval";
import { advancePipeline } from "@/lib/runner/pipelines/advance-pipeline";
import { endUnstartedRun, expireRun, moveRun, type UnstartedRun } from "@/lib/runner/runs/end-run";
import { getRun } from "@/lib/runner/runs/get-run";
import { requireRun } from "@/lib/runner/runs/load-runs";
import { recheckRun, whyNotOffered } from "@/lib/runner/runs/recheck-run";
import type { Run, RunDecisionInput } from "@/lib/runner/schema";
import { getSettings } from "@/lib/settings/settings";
import { requireSkill } from "@/lib/skills/skill-access";
import { whyNotDecide } from "./run-signatures";

/**
 * Records a person's decision on a parked run. The approval that completes the signatures starts it; one rejection ends it.
 * Errors: `conflict` when it was decided or has expired, or when the caller has already signed; `separation_of_duties` when
 * the caller asked for this dangerous run; `forbidden` for agents and for people without the right to decide.
 */
export async function decideRun(ctx: Ctx, id: string, input: RunDecisionInput): Promise<Run> {
  const actor = requireScope(ctx.actor, "run");
  const isExpired = await inTransaction(ctx, async (tx, txCtx) => {
    const run = await requireRun(txCtx, id);
    const { soloMode } = await getSettings(txCtx);
    assertMayDecide(actor, run, input, soloMode);
    if (run.state !== "awaiting_approval") {
      throw new AppError("conflict", `This run was already decided: it is ${run.state}.`);
    }
    if (run.expiresAt !== null && run.expiresAt <= ctx.now()) {
      await expireRun(tx, txCtx, run);
      return true;
    }
    const earlier = await tx.runDecision.findUnique({ where: { runId_actorId: { runId: id, actorId: actor.userId } } });
    if (earlier !== null)
      throw new AppError("conflict", "You have already approved this run. Other people must approve it too.");
    await tx.runDecision.create({
      data: {
        id: newId(),
        runId: id,
        actorId: actor.userId,
        actorName: actor.name,
        decision: input.decision,
        comment: input.comment,
        soloMode,
        createdAt: ctx.now(),
      },
    });
    const isApproval = input.decision === "approve";
    const data = { comment: input.comment, soloMode };
    if (isApproval) {
      const solo = soloMode ? ", in solo mode" : "";
      const summary = `approved a run of ${run.skill.name} for ${run.callerName}${solo}`;
      await recordRunEvent(tx, txCtx, run, {
        action: "run.approve",
        decision: "approve",
        rule: run.gateRule,
        approvers: [{ id: actor.userId, name: actor.name }],
        summary,
        data,
      });
      await releaseRun(tx, txCtx, run);
    } else {
      await endUnstartedRun(tx, txCtx, run, {
        state: "rejected",
        error: { code: "rejected", message: `${actor.name}: ${input.comment}` },
        event: {
          action: "run.reject",
          outcome: "ok",
          decision: "reject",
          summary: `rejected a run of ${run.skill.name}: ${input.comment}`,
        },
      });
    }
    return false;
  });
  wake("work");
  wake(`run:${id}`);
  if (isExpired) throw new AppError("conflict", "This run has expired. Start it again.");
  return getRun(ctx, id);
}

function assertMayDecide(
  actor: PersonActor,
  run: Parameters<typeof whyNotDecide>[1],
  input: RunDecisionInput,
  soloMode: boolean,
): void {
  const whyNot = whyNotDecide(actor, run, soloMode);
  if (whyNot === null) return;
  const { rule, reason } = whyNot;
  if (rule !== "dangerous-needs-two-others") throw new AppError("forbidden", reason, { rule });
  // The person who asked for a run may always reject it.
  if (input.decision === "approve") throw new AppError("separation_of_duties", reason, { rule });
}

type ParkedRun = UnstartedRun &
  Parameters<typeof recheckRun>[1] & { versionId: string; subject: string; gateRule: string | null };

/** Queues a parked run once enough people have signed it, if all conditions still hold; otherwise it fails with the reason. */
async function releaseRun(tx: Tx, ctx: Ctx, run: ParkedRun): Promise<"started" | "waiting" | "refused"> {
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

/** Why the requested version is no longer the caller's current one; null when it is. */
async function whyNotServed(ctx: Ctx, run: ParkedRun, caller: PersonActor | null): Promise<string | null> {
  if (caller === null) return null;
  try {
    const asCaller = { ...ctx, actor: caller };
    const approved = await requireApproved(asCaller, await requireSkill(asCaller, run.skillId));
    const isSame = approved.version.id === run.versionId && approved.subject === run.subject;
    if (!isSame) return `“${run.skill.name}” has another approved version now. Start the run again.`;
    return await whyNotOffered(ctx, caller, run.skillId);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
