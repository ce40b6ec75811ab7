import { z } from "zod";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import { listen } from "@/lib/core/wake-bus";
import type { Ctx } from "@/lib/db/context";
import type { RunDecision } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { countEach } from "@/lib/runner/approvals/run-signatures";
import {
  FINAL_STATES,
  PIPELINE_SCOPE,
  Run,
  type RunApproval,
  RunDecisionInput,
  type RunGroup,
  RunState,
} from "@/lib/runner/schema";
import { getSettings } from "@/lib/settings/settings";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { LEASE_SECONDS, RunLimits } from "@/lib/worker/protocol";
import { type RunRow, requireRun, withNames } from "./load-runs";

/** One run; `not_found` also when the caller may not see it. */
export async function getRun(ctx: Ctx, id: string): Promise<Run> {
  const [run] = await presentRuns(ctx, [await requireRun(ctx, id)]);
  if (!run) throw new Error("presenting one row gave none");
  return run;
}

const CallerKind = z.enum(["user", "token", "system"]);

/** Runs as the API shows them; decisions on parked runs are loaded in one query. */
export async function presentRuns(ctx: Ctx, rows: RunRow[]): Promise<Run[]> {
  const parked = rows.filter((row) => row.parkedAt !== null).map((row) => row.id);
  const decisions =
    parked.length === 0
      ? []
      : await ctx.db.runDecision.findMany({ where: { runId: { in: parked } }, orderBy: { id: "asc" } });
  const given = await countSignaturesGiven(ctx, rows, decisions);
  const targets = await findTargets(ctx, rows);
  const pipelines = await findPipelines(ctx, rows);
  return rows.map((row) => {
    const ofRun = decisions.filter((decision) => decision.runId === row.id);
    const run = presentRun(row, ofRun, targets.get(row.targetWorker ?? "") ?? null);
    if (run.approval) run.approval.given = given.get(row.id) ?? run.approval.given;
    run.pipeline = pipelines.get(row.id) ?? null;
    return run;
  });
}

async function countSignaturesGiven(ctx: Ctx, rows: RunRow[], decisions: RunDecision[]): Promise<Map<string, number>> {
  const waiting = rows.filter(({ id, state }) => state === "awaiting_approval" && isAmong(decisions, id));
  if (waiting.length === 0) return new Map();
  return countEach(ctx, waiting, decisions, (await getSettings(ctx)).soloMode);
}

function isAmong(decisions: RunDecision[], id: string): boolean {
  return decisions.some(({ runId }) => runId === id);
}

async function findPipelines(ctx: Ctx, rows: RunRow[]): Promise<Map<string, NonNullable<Run["pipeline"]>>> {
  const pipelines = rows.filter((row) => row.scope === PIPELINE_SCOPE);
  if (pipelines.length === 0) return new Map();
  const waiting = await ctx.db.run.findMany({
    where: { parentRunId: { in: pipelines.map(({ id }) => id) }, state: "awaiting_approval" },
    select: { id: true, parentRunId: true, stepIndex: true },
  });
  return new Map(
    pipelines.map(({ id }) => {
      const step = waiting.find(({ parentRunId }) => parentRunId === id);
      return [id, { waitsFor: step ? { step: (step.stepIndex ?? 0) + 1, runId: step.id } : null }];
    }),
  );
}

async function findTargets(ctx: Ctx, rows: RunRow[]): Promise<Map<string, NonNullable<Run["target"]>>> {
  const ids = [...new Set(rows.flatMap((row) => row.targetWorker ?? []))];
  if (ids.length === 0) return new Map();
  const workers = await ctx.db.worker.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, lastSeenAt: true, revokedAt: true },
  });
  const onlineSince = ctx.now().getTime() - LEASE_SECONDS * 2 * 1000;
  const isOnline = (seen: Date | null) => (seen?.getTime() ?? 0) >= onlineSince;
  return new Map(
    workers.map(({ id, name, lastSeenAt, revokedAt }) => [
      id,
      { id, name, online: revokedAt === null && isOnline(lastSeenAt) },
    ]),
  );
}

function presentRun(row: RunRow, decisions: RunDecision[], target: Run["target"]): Run {
  return {
    id: row.id,
    skill: { id: row.skill.id, name: row.skill.name, label: row.skill.label },
    versionDigest: row.versionDigest,
    versionNumber: row.version.number,
    class: SkillClass.parse(row.class),
    state: RunState.parse(row.state),
    args: parseJsonColumn(JsonObject, row.args),
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? "" },
    rawOutput: row.rawOutput,
    exitCode: row.exitCode,
    signal: row.signal,
    timedOut: row.timedOut,
    truncated: row.truncated,
    isolation: Run.shape.isolation.parse(row.isolation),
    worker: row.worker,
    caller: {
      kind: CallerKind.parse(row.callerKind),
      id: row.callerId,
      name: row.callerName,
      token: row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? "" },
      persona: row.personaId === null ? null : { id: row.personaId, name: row.personaName ?? "" },
    },
    approval: presentApproval(row, decisions),
    sessionId: row.sessionId,
    timeoutMs: keepParsed(RunLimits, row.limits).timeoutMs,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
    sandboxMs: row.sandboxMs,
    warm: row.warm,
    cpuMs: row.cpuMs,
    peakMemoryBytes: row.peakMemoryBytes,
    attempt: row.attempt,
    retryOfId: row.retryOfId,
    parentRunId: row.parentRunId,
    stepIndex: row.stepIndex,
    stepKey: row.stepKey,
    groupId: row.groupId,
    target,
    scheduleId: row.scheduleId,
    pipeline: null,
  };
}

function presentApproval(row: RunRow, decisions: RunDecision[]): RunApproval | null {
  if (row.parkedAt === null || row.expiresAt === null) return null;
  return {
    rule: row.gateRule ?? "",
    reason: row.gateReason ?? "",
    given: decisions.filter(({ decision }) => decision === "approve").length,
    needed: row.signatures ?? 0,
    by: decisions.map((row) => ({
      person: { id: row.actorId, name: row.actorName },
      decision: RunDecisionInput.shape.decision.parse(row.decision),
      comment: row.comment,
      soloMode: row.soloMode ?? false,
      at: row.createdAt.toISOString(),
    })),
    sopId: row.sopId,
    requestedAt: row.parkedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** The answer to a repeated start: the run, or the group it was the first of. `not_found` as in `getRun`. */
export async function recoverRun(ctx: Ctx, runId: string): Promise<Run | RunGroup> {
  const run = await getRun(ctx, runId);
  if (run.groupId === null) return run;
  const { groupId } = run;
  const rows = await ctx.db.run.findMany({ where: { groupId }, include: withNames, orderBy: { id: "asc" } });
  return { groupId, runs: await presentRuns(ctx, rows) };
}

const STATE = query<{ state: RunState }>(`SELECT "state" FROM "Run" WHERE "id" = ?`);

/** The run when it has ended, or in its current state when the seconds are over or the caller disconnects. */
export async function waitForRun(ctx: Ctx, id: string, seconds: number, signal?: AbortSignal): Promise<Run> {
  const deadline = performance.now() + seconds * 1000;
  const waiter = listen(`run:${id}`, signal, "begun");
  try {
    for (;;) {
      const row = await sqlOf(ctx).get(STATE, id);
      const left = deadline - performance.now();
      const isOver = row === undefined || FINAL_STATES.includes(row.state);
      if (isOver || left <= 0 || signal?.aborted) return await getRun(ctx, id);
      await waiter.next(left);
    }
  } finally {
    waiter.stop();
  }
}
