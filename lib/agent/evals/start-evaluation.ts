import { recordEvent } from "@/lib/audit/record-event";
import { describePersona } from "@/lib/auth/personas";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { logger } from "@/lib/core/logger";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { type PersonaPolicy, whyRefused } from "@/lib/policy/gate-run";
import { requireScope } from "@/lib/policy/require-scope";
import { requireModel } from "@/lib/settings/models/require-model";
import { servedClass } from "@/lib/skills/skill-access";
import { assertMayTry, type TriedSkill } from "../playground/assert-may-try";
import { agentOfConversation, ensurePersona } from "../playground/conversation-agent";
import { answerCase, type Evaluating } from "./answer-case";
import { aboutEvaluation, assertMayEvaluate, isCutOff, presentEvaluation, runningEvaluations } from "./evaluations";
import { readVersionEvals } from "./read-version-evals";
import type { EvalAnswer, EvalCase, Evaluation, StartEvaluationInput } from "./schema";

const MAX_RUNNING = 2;
const MAX_KEPT = 50;

/**
 * Starts an evaluation, which continues after this returns: a model answers a version’s cases with and without the skill. A
 * pending version can be evaluated as a playbook only. `forbidden` unless the caller manages the skill or reviews; `conflict`
 * without cases or while another evaluation of the skill runs; `rate_limited` when two run in this process. The newest 50 per
 * skill are kept.
 */
export async function startEvaluation(ctx: Ctx, idOrName: string, input: StartEvaluationInput): Promise<Evaluation> {
  const { evaluation, work } = await beginEvaluation(ctx, idOrName, input);
  work.catch((error: unknown) => logger.error({ err: error }, "an evaluation ended with an error"));
  return evaluation;
}

/** Like `startEvaluation`, and also returns a promise for the end of the work. */
export async function beginEvaluation(
  ctx: Ctx,
  idOrName: string,
  { versionDigest, limits, ...choice }: StartEvaluationInput,
): Promise<{ evaluation: Evaluation; work: Promise<void> }> {
  requireScope(ctx.actor, "run");
  const tried = await assertMayTry(ctx, { skillId: idOrName, versionDigest });
  assertMayEvaluate(ctx.actor, tried.skill);
  const model = await requireModel(ctx, choice);
  const { cases } = await readVersionEvals(ctx, tried.skill.id, digestOf(tried));
  if (cases.length === 0) {
    const message = `This version of “${tried.skill.name}” has no case in evals/ that can be run.`;
    throw new AppError("conflict", message, { rule: "no-cases" });
  }
  const running = runningEvaluations();
  if (running.size >= MAX_RUNNING) {
    throw new AppError("rate_limited", `${MAX_RUNNING} evaluations are running. Wait until one ends.`, {
      retryAfterSeconds: 30,
    });
  }
  const id = newId();
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const stored = await inTransaction(ctx, async (tx, txCtx) => {
      const persona = await ensurePersona(tx, txCtx, undefined);
      assertUsable(tried, describePersona(persona));
      return { row: await store(tx, txCtx, { id, tried, model, limits, cases: cases.length }), persona };
    });
    const agent = agentOfConversation(ctx, { id, personaId: stored.persona.id });
    agent.request = { ...agent.request, agentSurface: "evaluation" };
    const evaluation = presentEvaluation(ctx, stored.row, tried.skill);
    const how = { agent, tried, model, limits, signal: stop.signal };
    const work = runEvaluation(ctx, { ...how, id, cases, abort: () => stop.abort() });
    return { evaluation, work: work.finally(() => running.delete(id)) };
  } catch (error) {
    running.delete(id);
    throw error;
  }
}

/** An agent that may not use the skill would answer as without it. */
function assertUsable({ skill, pending }: TriedSkill, persona: PersonaPolicy): void {
  const refused = pending === null ? whyRefused(persona, { ...skill, class: servedClass(skill) }) : null;
  if (refused !== null) throw new AppError("forbidden", refused.reason, { rule: refused.rule });
}

type Wanted = Pick<StartEvaluationInput, "limits"> & {
  id: string;
  tried: TriedSkill;
  model: { endpointName: string; model: string };
  cases: number;
};

async function store(tx: Tx, ctx: Ctx, { id, tried, model, limits, cases }: Wanted) {
  const actor = requireScope(ctx.actor, "run");
  const { skill } = tried;
  const busy = await tx.evalRun.findMany({ where: { skillId: skill.id, state: "running" } });
  if (busy.some((row) => !isCutOff(ctx, row))) {
    throw new AppError("conflict", `An evaluation of “${skill.name}” is already running.`);
  }
  const old = await tx.evalRun.findMany({
    where: { skillId: skill.id },
    orderBy: { id: "desc" },
    skip: MAX_KEPT - 1,
    select: { id: true },
  });
  await tx.evalRun.deleteMany({ where: { id: { in: old.map((row) => row.id) } } });
  const version = await tx.version.findUniqueOrThrow({
    where: { skillId_digest: { skillId: skill.id, digest: digestOf(tried) } },
    select: { digest: true, number: true },
  });
  const row = await tx.evalRun.create({
    data: {
      ...{ id, skillId: skill.id, versionDigest: version.digest, versionNumber: version.number },
      ...{ endpointName: model.endpointName, model: model.model, limits: JSON.stringify(limits) },
      ...{ state: "running", cases, createdById: actor.userId, createdByName: actor.name },
      ...{ createdAt: ctx.now(), updatedAt: ctx.now() },
    },
    include: { results: true },
  });
  await recordEvent(tx, ctx, {
    action: "evaluation.start",
    ...aboutEvaluation(id, skill),
    summary: `started an evaluation of ${skill.name} with ${model.model}: ${cases} cases`,
    versionDigest: version.digest,
    data: { endpoint: model.endpointName, model: model.model, cases, limits, isApproved: tried.pending === null },
  });
  return row;
}

function digestOf({ skill, pending }: TriedSkill): string {
  return pending?.digest ?? skill.current?.digest ?? "";
}

const PARALLEL = 2;
/** After this many errors of the model’s server in a row, the evaluation ends. */
const MAX_ERRORS = 3;

type EvaluationWork = Evaluating & { id: string; cases: EvalCase[]; abort(): void };
type Task = { seq: number; item: EvalCase; withSkill: boolean };

/** Answers all cases with and without the skill, two at once, and stores each answer. Stops when its row is not `running`. */
export async function runEvaluation(ctx: Ctx, work: EvaluationWork): Promise<void> {
  const tasks = work.cases.flatMap((item, seq) => [true, false].map((withSkill): Task => ({ seq, item, withSkill })));
  let errors = 0;
  let problem: string | null = null;
  const takeTasks = async () => {
    for (let task = tasks.shift(); task && !work.signal.aborted; task = tasks.shift()) {
      const answer = await answerCase(work, task.item, task.withSkill);
      if (work.signal.aborted) return;
      if (!(await storeAnswer(ctx, work.id, task, answer))) return work.abort();
      errors = answer.reason === "error" ? errors + 1 : 0;
      if (errors < MAX_ERRORS) continue;
      problem = answer.problem;
      return work.abort();
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, takeTasks));
    await endEvaluation(ctx, work, problem);
  } catch (error) {
    work.abort();
    logger.error({ err: error, evaluationId: work.id }, "an evaluation failed");
    await endEvaluation(ctx, work, "It failed inside the server. The server's log has the reason.");
  }
}

/** Returns false when the evaluation is no longer running. */
async function storeAnswer(ctx: Ctx, id: string, { seq, item, withSkill }: Task, answer: EvalAnswer): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const going = await tx.evalRun.updateMany({ where: { id, state: "running" }, data: { updatedAt: ctx.now() } });
    if (going.count === 0) return false;
    const { checks, ...said } = answer;
    await tx.evalResult.create({
      data: {
        ...{ evalRunId: id, seq, withSkill, caseId: item.id, prompt: item.prompt, expected: item.expected },
        ...said,
        checks: JSON.stringify(checks),
      },
    });
    return true;
  });
}

async function endEvaluation(
  ctx: Ctx,
  { id, tried: { skill } }: EvaluationWork,
  problem: string | null,
): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const ended = await tx.evalRun.updateMany({
      where: { id, state: "running" },
      data: { state: problem === null ? "done" : "failed", error: problem, finishedAt: at, updatedAt: at },
    });
    if (ended.count === 0) return; // The evaluation was cancelled, which is recorded already.
    const passed = { evalRunId: id, passed: true };
    const withSkill = await tx.evalResult.count({ where: { ...passed, withSkill: true } });
    const withoutSkill = await tx.evalResult.count({ where: { ...passed, withSkill: false } });
    await recordEvent(tx, txCtx, {
      action: "evaluation.finish",
      ...aboutEvaluation(id, skill),
      outcome: problem === null ? "ok" : "failed",
      summary: `${problem === null ? "evaluated" : "could not evaluate"} ${skill.name}`,
      data: { passedWith: withSkill, passedWithout: withoutSkill, error: problem },
    });
  });
}
