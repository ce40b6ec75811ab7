import { findPersona } from "@/lib/auth/personas";
import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { fieldSentence } from "@/lib/core/field-errors";
import type { Ctx, Tx } from "@/lib/db/context";
import { assertRunAllowed, confirmsStep, coverStep, gateRun } from "@/lib/policy/gate-run";
import { type ApprovedVersion, requireApproved } from "@/lib/review/run-approval";
import { findSop } from "@/lib/runner/approvals/sops";
import { resolveTarget } from "@/lib/runner/edges";

import { whyNoIsolation, whyNotAllowed } from "@/lib/runner/leases/able-workers";
import type { DryRun, StartRunInput } from "@/lib/runner/schema";
import type { Settings } from "@/lib/settings/schema";
import { getSettings } from "@/lib/settings/settings";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { validateArgs } from "@/lib/skill-format/arguments/validate-args";
import { scriptInput } from "@/lib/skill-format/entry/script-entry";
import { isPipeline, type JsonObject, type SkillClass } from "@/lib/skill-format/schema";
import { assertOffered } from "@/lib/skills/access/judge-stored-skill";

import { planPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import type { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { findNamedSkill } from "@/lib/skills/skill-access";
import { assertCredentialsStored } from "./run-secrets";
import { type StepPlace, storeRun } from "./store-run";

/** The schedule that asks for a run. `confirmedSubject`: the approval whose runs its owner confirmed. */
export type AskingSchedule = { id: string; name: string; confirmedSubject: string | null };

type Asked = {
  actor: PersonActor;
  idOrName: string;
  asked: StartRunInput;
  step?: StepPlace;
  schedule?: AskingSchedule | null;
};
type Admitted = { id: string; starts: boolean; isPipeline: boolean } | { dryRun: DryRun };

/**
 * Applies all checks to a request for a run and stores the run; for direct requests and for the steps of pipelines.
 * `starts`: it does not wait for people. The caller continues from there: it offers the work to workers, or advances the
 * pipeline.
 */
export async function admitRun(
  tx: Tx,
  ctx: Ctx,
  { actor, idOrName, asked, step, schedule = null }: Asked,
): Promise<Admitted> {
  const skill = await findNamedSkill(ctx, idOrName);
  const approved = await requireApproved(ctx, skill, { isDryRun: asked.dryRun === true });
  const { manifest } = approved;
  const settings = await getSettings(ctx);
  const around = { maxDepth: settings.pipelineMaxDepth, above: step?.above ?? [] };
  const plan = isPipeline(manifest)
    ? await planPipeline(ctx, { skill, manifest, class: approved.class }, around)
    : null;
  if (manifest.entry === null && plan === null)
    throw new AppError("invalid", `“${skill.name}” is a playbook for agents and cannot be run.`);
  if (plan !== null) assertPlanRuns(skill.name, plan);
  const runClass = plan?.class ?? approved.class;
  const input = await resolveTarget(ctx, plan === null ? skill : { ...skill, scope: "manager" }, manifest, asked);
  assertArgsFit(skill.name, plan?.schema ?? manifest.schema, input.args);
  assertScriptTakes(approved, input.args);
  const persona = await findPersona(ctx, actor);
  const isConfirmed = input.confirm === true || schedule?.confirmedSubject === approved.subject;
  const confirmed = step === undefined ? isConfirmed : confirmsStep(step.confirmedClass, runClass);
  const asks = {
    class: runClass,
    persona,
    confirmed,
    soloMode: settings.soloMode,
    skill,
    unattended: schedule !== null,
    isAgentOnly: !manifest.userInvocable && step === undefined && !isOfAgent(ctx, actor),
  };
  const verdict = step === undefined ? gateRun(asks) : coverStep(gateRun(asks), runClass, step.confirmedClass);
  if (input.dryRun && verdict.outcome === "refuse") return dryRun(verdict, approved, runClass);
  if (verdict.outcome === "refuse") assertRunAllowed(verdict);
  await assertOffered(ctx, skill);
  const { isForOwnUse } = approved;
  const place = { class: runClass, scope: skill.scope, workerId: input.workerId, isForOwnUse };
  const unserved = plan === null ? await whyNoWorker(ctx, place, approved) : null;
  if (unserved !== null && input.dryRun) {
    const { code: rule, reason } = unserved;
    return dryRun({ outcome: "refuse", rule, reason, signatures: 0 }, approved, runClass);
  }
  if (unserved !== null) throw new AppError(unserved.code, unserved.reason, { rule: unserved.code });
  await assertCredentialsStored(ctx, approved.grants);
  const sopId = await requireNamedSop(ctx, { class: runClass, sop: input.sop, settings });
  if (input.dryRun) return dryRun(verdict, approved, runClass);
  assertRunAllowed(verdict);
  const personaName = persona === null || persona === "missing" ? null : persona.name;
  const schema = plan?.schema ?? manifest.schema;
  const run = { actor, skill, approved, input, verdict, sopId, personaName, settings, schedule, schema };
  const id = await storeRun(tx, ctx, { ...run, ...(plan && { pipelineClass: plan.class }), ...(step && { step }) });
  return { id, starts: verdict.outcome === "start", isPipeline: plan !== null };
}

/** Whether a model asks: under a persona, or with a person's token in an agent's session. */
function isOfAgent(ctx: Ctx, actor: PersonActor): boolean {
  return isAgent(actor) || (actor.kind === "token" && ctx.request.agentSessionId !== undefined);
}

type Unserved = { code: "no_isolation" | "worker_does_not_allow"; reason: string };

/** Why none of the online workers would take it; null when one would, and when none is online. */
async function whyNoWorker(
  ctx: Ctx,
  place: Parameters<typeof whyNoIsolation>[1],
  { version, grants }: ApprovedVersion,
): Promise<Unserved | null> {
  const unsandboxed = await whyNoIsolation(ctx, place);
  if (unsandboxed !== null) return { code: "no_isolation", reason: unsandboxed };
  const notAllowed = await whyNotAllowed(ctx, { ...place, granted: { digest: version.digest, grants } });
  return notAllowed === null ? null : { code: "worker_does_not_allow", reason: notAllowed };
}

function assertPlanRuns(name: string, { problems, steps }: PipelinePlan): void {
  const [problem] = problems;
  if (problem?.code === "capability_missing") throw new AppError("forbidden", problem.message, { rule: problem.code });
  if (problem) throw new AppError("invalid", `“${name}” cannot be run. ${problem.message}`, { rule: problem.code });
  const broken = steps.find((step) => step.problem !== null);
  if (!broken?.problem) return;
  const code = broken.skill === null ? "invalid" : "not_approved";
  throw new AppError(code, `“${name}” cannot be run. ${broken.problem}`, { rule: "pipeline_step" });
}

function assertArgsFit(name: string, schema: JsonObject | null, args: Record<string, unknown>): void {
  const errors = validateArgs(schema, args);
  if (errors.length === 0) return;
  const broken = schemaErrorsAt("schema", schema);
  if (broken[0]) {
    const what = `its schema is invalid. ${broken[0].path}: ${broken[0].message}`;
    const message = `“${name}” cannot be run: ${what} Approve a version with a correct schema.`;
    throw new AppError("schema_invalid", message, { errors: broken });
  }
  const prefixed = errors.map(({ path, message }) => ({ path: path ? `args.${path}` : "args", message }));
  const first = errors[0] ? fieldSentence(errors[0], "The object of arguments") : "";
  throw new AppError("invalid", `The arguments do not match the schema. ${first}`, { errors: prefixed });
}

/** Some values match the schema but cannot be passed to a script unchanged. */
function assertScriptTakes({ script }: ApprovedVersion, args: Record<string, unknown>): void {
  const built = script === null ? null : scriptInput(script.call, args);
  if (built === null || built.ok) return;
  const errors = built.errors.map(({ path, message }) => ({ path: path ? `args.${path}` : "args", message }));
  const first = `${errors[0]?.path} ${errors[0]?.message}`;
  throw new AppError("invalid", `The script cannot be called with these arguments: ${first}.`, { errors });
}

type Answer = Pick<DryRun, "outcome" | "rule" | "reason" | "signatures">;

function dryRun(answer: Answer, { version }: ApprovedVersion, runClass: SkillClass): { dryRun: DryRun } {
  const { outcome, rule, reason, signatures } = answer;
  const ok = outcome === "start" || outcome === "park";
  return { dryRun: { ok, outcome, rule, reason, signatures, class: runClass, versionDigest: version.digest } };
}

/** The id of the procedure that a run names, after its signature was verified; `invalid` when a required one is not named. */
async function requireNamedSop(
  ctx: Ctx,
  run: { class: SkillClass; sop: string | undefined; settings: Pick<Settings, "dangerousNeedsSop"> },
): Promise<string | null> {
  if (run.sop === undefined) {
    if (run.class !== "dangerous" || !run.settings.dangerousNeedsSop) return null;
    throw invalid("must name a signed standard operating procedure, because the run is dangerous");
  }
  const sop = await findSop(ctx, run.sop);
  if (sop?.valid !== true) throw invalid("must be the id of a procedure whose signature verifies");
  return sop.id;
}

function invalid(message: string): AppError {
  return new AppError("invalid", `The run cannot start: sop ${message}.`, {
    errors: [{ path: "sop", message }],
    rule: "dangerous-needs-sop",
  });
}
