import { recordRunEvent } from "@/lib/audit/record-run-event";
import type { PersonActor } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { redactMarked } from "@/lib/core/redact/redact-marked";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Run } from "@/lib/db/generated/client";
import { query, valuesOf } from "@/lib/db/sql";
import type { PolicyDecision } from "@/lib/policy/gate-run";
import { runTimeLimit } from "@/lib/policy/grants/settle-grants";
import type { ApprovedVersion } from "@/lib/review/run-approval";
import type { TargetedRun } from "@/lib/runner/edges";
import { PIPELINE_SCOPE } from "@/lib/runner/schema";
import type { Settings } from "@/lib/settings/schema";
import type { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { markUsed } from "@/lib/skills/lifecycle";
import type { SkillRow } from "@/lib/skills/skill-access";
import { RunLimits } from "@/lib/worker/protocol";

const COLUMNS = [
  ...["id", "skillId", "versionId", "versionDigest", "subject", "class", "scope", "state", "args", "argsDigest"],
  ...["limits", "env", "targetWorker", "sopId", "callerId", "callerName", "callerKind", "callerRole", "tokenId"],
  ...["tokenName", "personaId", "personaName", "sessionId", "requestId", "traceParent", "parentRunId", "stepIndex"],
  ...["stepKey", "scheduleId", "surface", "queuedAt", "gateRule", "gateReason", "signatures", "parkedAt", "expiresAt"],
] as const;
const INSERT = query(`INSERT INTO "Run" ${valuesOf(COLUMNS)}`);
const REMEMBER = query(
  `UPDATE "IdempotentAnswer" SET "runId" = ? WHERE "actorKey" = ? AND "key" = ? AND "runId" IS NULL`,
);

const STDERR_BYTES = 1024 * 1024;
const HOUR_MS = 3_600_000;

type NewRun = {
  actor: PersonActor;
  skill: SkillRow;
  approved: ApprovedVersion;
  input: TargetedRun;
  verdict: PolicyDecision;
  sopId: string | null;
  personaName: string | null;
  settings: Settings;
  schedule?: { id: string; name: string } | null;
  /** The schema of its arguments: values that it marks as secret are not recorded. */
  schema: JsonObject | null;
  /** Set for a pipeline, which no worker takes: the highest class of all its steps. */
  pipelineClass?: SkillClass;
  step?: StepPlace;
};

export type StepPlace = {
  parentRunId: string;
  stepIndex: number;
  stepKey: string;
  confirmedClass: SkillClass;
  above: { id: string; name: string }[];
};

/** Stores a run that the policy lets start, or parks it with all its data; returns its id. */
export async function storeRun(tx: Tx, ctx: Ctx, run: NewRun): Promise<string> {
  const { actor, skill, approved, input, verdict, settings, schedule = null, step, pipelineClass } = run;
  const id = newId();
  const isParked = verdict.outcome === "park";
  const row: Pick<Run, (typeof COLUMNS)[number]> = {
    id,
    skillId: skill.id,
    versionId: approved.version.id,
    versionDigest: approved.version.digest,
    subject: approved.subject,
    class: pipelineClass ?? approved.class,
    scope: pipelineClass === undefined ? skill.scope : PIPELINE_SCOPE,
    state: isParked ? "awaiting_approval" : "queued",
    args: JSON.stringify(input.args),
    argsDigest: sha256Hex(canonicalJson(input.args)),
    limits: JSON.stringify(limitsOf(approved, settings)),
    env: JSON.stringify(approved.grants.env ?? []),
    targetWorker: input.workerId ?? null,
    sopId: run.sopId,
    ...callerColumns(ctx, actor),
    personaName: run.personaName,
    requestId: ctx.request.requestId,
    traceParent: ctx.request.traceParent ?? null,
    parentRunId: step?.parentRunId ?? null,
    stepIndex: step?.stepIndex ?? null,
    stepKey: step?.stepKey ?? null,
    scheduleId: schedule?.id ?? null,
    surface: step ? "pipeline" : schedule ? "schedule" : surfaceOf(ctx, actor),
    queuedAt: ctx.now(),
    ...(isParked ? parkedColumns(ctx, verdict, settings) : NOT_PARKED),
  };
  await ctx.database.writeSql.run(INSERT, ...COLUMNS.map((name) => row[name]));
  await rememberRun(ctx, id);
  await markUsed(tx, ctx, skill);
  const waits = verdict.signatures === 1 ? "a person" : `${verdict.signatures} people`;
  const byWhat = schedule === null ? "" : ` by the schedule “${schedule.name}”`;
  const recorded = { ...row, skill, worker: input.workerName === null ? null : { name: input.workerName } };
  await recordRunEvent(tx, ctx, recorded, {
    action: isParked ? "run.request" : "run.start",
    summary: isParked
      ? `asked to run ${skill.name}${byWhat}, which waits for ${waits} to approve it`
      : `started ${skill.name}${byWhat}`,
    arguments: redactMarked(run.schema, input.args),
    decision: isParked ? "ask" : "allow",
    rule: verdict.rule,
    data: {
      subject: approved.subject,
      rule: verdict.rule,
      sop: run.sopId,
      ...(schedule === null ? {} : { schedule: schedule.id }),
      ...(step && { pipelineRun: step.parentRunId, step: step.stepIndex + 1 }),
    },
  });
  return id;
}

function limitsOf(approved: ApprovedVersion, settings: Settings): RunLimits {
  return RunLimits.parse({
    timeoutMs: runTimeLimit(approved.grants, settings) * 1000,
    stdoutBytes: settings.stdoutLimitMiB * 1024 * 1024,
    stderrBytes: STDERR_BYTES,
  });
}

function callerColumns(ctx: Ctx, actor: PersonActor) {
  const isToken = actor.kind === "token";
  return {
    callerId: actor.userId,
    callerName: actor.name,
    callerKind: actor.kind,
    callerRole: actor.role,
    tokenId: isToken ? actor.tokenId : null,
    tokenName: isToken ? actor.tokenName : null,
    personaId: isToken ? actor.personaId : null,
    sessionId: ctx.request.agentSessionId ?? (isToken ? null : actor.sessionId || null),
  };
}

function surfaceOf(ctx: Ctx, actor: PersonActor): string {
  return ctx.request.agentSurface ?? (actor.kind === "token" ? "http" : "page");
}

const NOT_PARKED = { gateRule: null, gateReason: null, signatures: null, parkedAt: null, expiresAt: null };

function parkedColumns(ctx: Ctx, verdict: PolicyDecision, settings: Settings) {
  return {
    gateRule: verdict.rule,
    gateReason: verdict.reason,
    signatures: verdict.signatures,
    parkedAt: ctx.now(),
    expiresAt: new Date(ctx.now().getTime() + settings.approvalHours * HOUR_MS),
  };
}

/** Stores the run of an `Idempotency-Key` in the run's transaction, so that a repeated request finds it after a crash. */
async function rememberRun(ctx: Ctx, runId: string): Promise<void> {
  const { onceKey } = ctx.request;
  if (onceKey) await ctx.database.writeSql.run(REMEMBER, runId, onceKey.actorKey, onceKey.key);
}
