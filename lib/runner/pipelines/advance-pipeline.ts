import { recordRefusedRun } from "@/lib/audit/record-run-event";
import { findCaller } from "@/lib/auth/people/find-caller";
import { AppError, type AskedRun } from "@/lib/core/errors";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import { offerWork } from "@/lib/core/wake-bus";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";
import { whyRunLostApproval } from "@/lib/review/run-approval";
import { parseTemplate, renderTemplate } from "@/lib/skill-format/pipeline-template";
import { JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { findStepSkill, findVisible, stepKey } from "@/lib/skills/pipeline/plan-pipeline";
import { loadFilesAndDecisions, loadVersion } from "@/lib/skills/skill-access";
import { RunLimits } from "@/lib/worker/protocol";
import { describeRefusedRun } from "../describe-refused-run";
import { admitRun } from "../runs/admit-run";
import { PIPELINE_SCOPE } from "../schema";
import { appendRunLog, failPipeline, outputOf, succeedPipeline, wakeAfterCommit } from "./end-pipeline";
import {
  chainOf,
  deadlineOf,
  isOver,
  loadOpenPipeline,
  loadSteps,
  type PipelineRun,
  type StepRun,
} from "./load-pipeline";

/**
 * Advances a pipeline as far as possible, in the current transaction: begins it, starts the step after a succeeded one, or
 * ends it. Safe to repeat at any time, since the state is read from the runs of its steps, one for each step. It also
 * advances pipelines above or below that can continue as a result.
 */
export async function advancePipeline(tx: Tx, ctx: Ctx, runId: string): Promise<void> {
  const waiting = [runId];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const run = await loadOpenPipeline({ db: tx }, id);
    if (run === null) continue;
    const next = await advanceOnce(tx, ctx, run);
    if (next !== null) waiting.push(next);
    wakeAfterCommit(ctx, ["work", `run:${id}`]);
  }
}

const PARENT = query<{ parentRunId: string | null }>(`SELECT "parentRunId" FROM "Run" WHERE "id" = ?`);

/** Advances the pipeline that an ended run was a step of, if any. Call it in the transaction that ends the run. */
export async function advanceParentOf(tx: Tx, ctx: Ctx, runId: string): Promise<void> {
  const parentRunId = (await sqlOf(ctx).get(PARENT, runId))?.parentRunId ?? null;
  if (parentRunId !== null) await advancePipeline(tx, ctx, parentRunId);
}

async function advanceOnce(tx: Tx, ctx: Ctx, run: PipelineRun): Promise<string | null> {
  const { manifest: stored, approval } = await readVersion(ctx, run);
  const { steps } = keepParsed(SkillManifest, stored);
  if (run.state === "queued") {
    const startedAt = run.startedAt ?? ctx.now();
    await tx.run.update({ where: { id: run.id }, data: { state: "running", startedAt } });
    await appendRunLog(ctx, run.id, `Pipeline started: ${steps.length} ${steps.length === 1 ? "step" : "steps"}.`);
    run.startedAt = startedAt;
  }
  const done = await loadSteps({ db: tx }, run.id);
  const { timeoutMs } = keepParsed(RunLimits, run.limits);
  const deadline = await deadlineOf({ db: tx, now: ctx.now }, run, { timeoutMs, steps: done });
  const last = done.at(-1);
  if (last && isOver(last)) await appendRunLog(ctx, run.id, `Step ${done.length} (${last.stepKey}) ${last.state}.`);
  if (last && isOver(last) && last.state !== "succeeded") return failPipeline(tx, ctx, run, describeFailure(last));
  const isEnd = done.length === steps.length && (last === undefined || isOver(last));
  if (!isEnd && deadline !== null && deadline <= ctx.now()) {
    const message = `The pipeline took longer than its limit of ${Math.round(timeoutMs / 1000)} s.`;
    return failPipeline(tx, ctx, run, { code: "timed_out", message, timedOut: true });
  }
  if (last && !isOver(last)) return null;
  if (isEnd) return succeedPipeline(tx, ctx, run, stored);
  if (approval !== null) return failPipeline(tx, ctx, run, { code: "not_approved", message: approval });
  return startStep(tx, ctx, run, { manifest: keepParsed(SkillManifest, stored), done });
}

async function readVersion(ctx: Ctx, run: PipelineRun): Promise<{ manifest: string; approval: string | null }> {
  const version = await loadVersion(ctx, run.versionId);
  if (version === null) throw new Error(`the run ${run.id} has lost its version`);
  const { manifest } = version;
  const isApproved = version.state === "approved" && version.subject === run.subject;
  if (!isApproved || !run.skill.enabled || !run.skill.listed) {
    return { manifest, approval: "The approval of this run is no longer valid." };
  }
  const whole = { ...version, ...(await loadFilesAndDecisions(ctx, version.id)) };
  // The class of the run is the highest of all its steps, which may be above the approved one.
  const changed = await whyRunLostApproval(ctx, { ...run, class: version.class ?? "", version: whole });
  return { manifest, approval: changed && `The stored version differs from the approved one: ${changed}.` };
}

type Progress = { manifest: SkillManifest; done: StepRun[] };

async function startStep(tx: Tx, ctx: Ctx, run: PipelineRun, { manifest, done }: Progress): Promise<string | null> {
  const index = done.length;
  const step = manifest.steps[index];
  if (step === undefined) throw new Error(`the run ${run.id} has no step ${index}`);
  const key = stepKey(step, index);
  const place = `Step ${index + 1} (${key})`;
  let askedOf: { ctx: Ctx; run: AskedRun } = {
    ctx,
    run: { idOrName: step.skillName ?? step.toolName ?? "", args: null },
  };
  try {
    const caller = await findCaller(ctx, { ...run, userId: run.callerId });
    if (caller === null)
      throw refused(`${run.callerName} may no longer run it: the account or the token is no longer valid.`);
    const actor = requireScope(caller, "run");
    const asked = { args: readArgs(manifest, run, done), wait: 0, sop: run.sopId ?? undefined };
    const { onceKey: _ofAnother, ...request } = ctx.request;
    const asCaller: Ctx = { ...ctx, actor, request };
    const called = await findStepSkill((name) => findVisible(asCaller, name), step);
    askedOf = { ctx: asCaller, run: { idOrName: called?.id ?? askedOf.run.idOrName, args: asked.args } };
    if (called === null)
      throw refused(`There is no “${step.skillName ?? step.toolName}” that ${run.callerName} can see.`);
    const admitted = await admitRun(tx, asCaller, {
      actor,
      idOrName: called.id,
      asked,
      step: {
        parentRunId: run.id,
        stepIndex: index,
        stepKey: key,
        confirmedClass: SkillClass.parse(run.class),
        above: await chainOf({ db: tx }, run),
      },
    });
    if ("dryRun" in admitted) throw new Error("a step is never asked for on trial");
    const waits = `Waits for approval of step ${index + 1} (${key}): run ${admitted.id}.`;
    await appendRunLog(ctx, run.id, admitted.starts ? `${place} started: run ${admitted.id}.` : waits);
    if (!admitted.starts) return null;
    if (admitted.isPipeline) return admitted.id;
    offerWork();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `${place} could not start. ${error.message}`;
    await recordRefusedRun(tx, ctx, await describeRefusedRun(askedOf.ctx, askedOf.run), {
      action: "run.refuse",
      outcome: "refused",
      summary: `did not start a step of ${run.skill.name}: ${error.message}`,
      concerns: run.callerId,
      onBehalfOf: { id: run.callerId, name: run.callerName },
      runId: run.id,
      ...(run.sessionId === null ? {} : { sessionId: run.sessionId }),
      decision: "refuse",
      rule: error.rule ?? null,
      error: { code: error.code, message: error.message },
      data: { pipelineRun: run.id, step: index + 1 },
    });
    return failPipeline(tx, ctx, run, { code: "step_refused", message });
  }
}

function readArgs({ steps }: SkillManifest, run: PipelineRun, done: StepRun[]): JsonObject {
  const values = new Map(Object.entries(parseJsonColumn(JsonObject, run.args)));
  for (const [index, child] of done.entries()) {
    const key = steps[index]?.outputKey ?? null;
    if (key !== null) values.set(key, outputOf(child));
  }
  const parsed = parseTemplate(steps[done.length]?.argumentsTemplate ?? "{}");
  if (!parsed.ok) throw refused(`Its arguments template is invalid: it ${parsed.message}.`);
  const rendered = renderTemplate(parsed.template, values);
  if (rendered.ok) return rendered.args;
  throw refused(`No value is known for ${rendered.unknown.map((name) => `{${name}}`).join(", ")}.`);
}

function refused(message: string): AppError {
  return new AppError("invalid", message);
}

function describeFailure({ stepIndex, stepKey: key, state, errorMessage }: StepRun): { code: string; message: string } {
  const place = `Step ${(stepIndex ?? 0) + 1} (${key})`;
  const why = errorMessage === null ? "" : ` ${errorMessage}`;
  const words: Record<string, string> = {
    rejected: "was rejected.",
    expired: "expired before it was decided.",
    cancelled: "was cancelled.",
  };
  if (state === "expired") return { code: "step_expired", message: `${place} ${words[state]}` };
  const code = state === "rejected" ? "step_rejected" : state === "cancelled" ? "step_cancelled" : "step_failed";
  return { code, message: `${place} ${words[state] ?? "failed."}${why}` };
}

/** Advances pipelines that a process left between two steps, or whose time is over. Returns their number. */
export async function resumePipelines(ctx: Ctx): Promise<number> {
  const open = await ctx.db.run.findMany({ where: { scope: PIPELINE_SCOPE, state: { in: ["queued", "running"] } } });
  let count = 0;
  for (const run of open) {
    const steps = await loadSteps(ctx, run.id);
    const { timeoutMs } = keepParsed(RunLimits, run.limits);
    const deadline = await deadlineOf(ctx, run, { timeoutMs, steps });
    const last = steps.at(-1);
    const isDue = last === undefined || isOver(last) || (deadline !== null && deadline <= ctx.now());
    if (!isDue) continue;
    await inTransaction(ctx, (tx, txCtx) => advancePipeline(tx, txCtx, run.id));
    count += 1;
  }
  return count;
}
