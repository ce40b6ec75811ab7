import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Run, Version } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { Grants } from "@/lib/policy/grants/schema";
import { describeNotAllowed, needsOperator, type WorkerRefusal } from "@/lib/policy/worker-allowance";
import { loadWaiting, type WaitingRun, type WantedRuns } from "@/lib/runner/runs/load-runs";
import { SkillClass } from "@/lib/skill-format/schema";
import {
  type AllowingWorker,
  allowingWorkers,
  type Granted,
  mayTake,
  refusingWorkers,
} from "@/lib/skills/access/worker-allowances";
import { refusedClasses } from "./require-isolation";

const AGAIN = "start the run again";

type Wanted = { class: SkillClass; scope: string; workerId: string | undefined; granted: Granted };

/**
 * Why a run would end before it starts: no online worker that could take it and isolates its class also allows all its
 * grants. Null when one does, and when no such worker is online: then the run waits and is checked at its lease. Reads
 * nothing for a run whose grants need no operator.
 */
export async function whyNotAllowed(ctx: Ctx, { granted, ...wanted }: Wanted): Promise<string | null> {
  if (!needsOperator(granted.grants)) return null;
  const { able, refusing } = await judge(ctx, await allowingWorkers(ctx), wanted, granted);
  return refusing.length === 0 || refusing.length < able.length ? null : describeNotAllowed(refusing, AGAIN);
}

type Judged = { able: AllowingWorker[]; refusing: (AllowingWorker & WorkerRefusal)[] };

async function judge(
  ctx: Ctx,
  workers: readonly AllowingWorker[],
  { class: runClass, scope, workerId }: Omit<Wanted, "granted">,
  granted: Granted,
  self: string | null = null,
): Promise<Judged> {
  const able: AllowingWorker[] = [];
  for (const worker of workers) {
    const isMeant = workerId === undefined ? mayTake(worker, scope) : worker.id === workerId;
    if (!isMeant || !(worker.isOnline || worker.id === self)) continue;
    if (!(await refusedClasses(ctx, worker)).includes(runClass)) able.push(worker);
  }
  return { able, refusing: await refusingWorkers(able, granted) };
}

/** A run that a worker may take; `notAllowed` is the reason if it must end because no worker allows it. */
type Judgement = { run: WaitingRun; notAllowed: string | null };

/**
 * Like `loadWaiting`, without runs that only other workers allow: those take them, and they must not hold up the runs behind
 * them. Runs that no online worker allows are included with the reason, so that they end instead of waiting for ever.
 */
export async function loadAllowed(ctx: Ctx, wanted: WantedRuns, limit: number): Promise<Judgement[]> {
  let waiting = await loadWaiting(ctx, wanted, limit);
  if (!waiting.some(({ version }) => needsOperator(grantsOf(version)))) {
    return waiting.map((run) => ({ run, notAllowed: null }));
  }
  const workers = await allowingWorkers(ctx);
  const ask = (run: Pick<Run, "class" | "scope" | "targetWorker">, version: StoredVersion) =>
    judgeFor(ctx, workers, wanted.workerId, run, version);
  const verdicts = await Promise.all(waiting.map((run) => ask(run, run.version)));
  if (verdicts.includes("left")) {
    const leftVersions = new Set(wanted.leftVersions);
    for (const { version, ...run } of await queuedVersions(ctx)) {
      if ((await ask(run, version)) === "left") leftVersions.add(version.id);
    }
    waiting = await loadWaiting(ctx, { ...wanted, leftVersions: [...leftVersions] }, limit);
  }
  const judged: Judgement[] = [];
  for (const run of waiting) {
    const verdict = await ask(run, run.version);
    if (verdict !== "left") judged.push({ run, notAllowed: verdict });
  }
  return judged;
}

type StoredVersion = Pick<Version, "id" | "digest" | "grants">;

/** For one worker: null when it may take the run, `left` when only other online workers may, else why none may. */
async function judgeFor(
  ctx: Ctx,
  workers: readonly AllowingWorker[],
  self: string,
  run: Pick<Run, "class" | "scope" | "targetWorker">,
  version: StoredVersion,
): Promise<"left" | string | null> {
  const granted = { digest: version.digest, grants: grantsOf(version) };
  if (!needsOperator(granted.grants)) return null;
  const wanted = { class: SkillClass.parse(run.class), scope: run.scope, workerId: run.targetWorker ?? undefined };
  const { able, refusing } = await judge(ctx, workers, wanted, granted, self);
  if (!refusing.some(({ id }) => id === self)) return null;
  return refusing.length < able.length ? "left" : describeNotAllowed(refusing, AGAIN);
}

/** Grants that are unreadable in the database allow nothing: the check of the approval refuses such a run. */
function grantsOf({ grants }: Pick<Version, "grants">): Grants {
  try {
    return keepParsed(Grants, grants ?? "{}");
  } catch {
    return {};
  }
}

const QUEUED_VERSIONS = query<StoredVersion & Pick<Run, "class" | "scope">>(
  `SELECT v."id", v."digest", v."grants", q."class", q."scope"
   FROM (SELECT DISTINCT "versionId", "class", "scope" FROM "Run" WHERE "state" = ? AND "targetWorker" IS NULL) q
     JOIN "Version" v ON v."id" = q."versionId"`,
);

async function queuedVersions(ctx: Ctx) {
  const rows = await sqlOf(ctx).all(QUEUED_VERSIONS, "queued");
  return rows.map(({ class: runClass, scope, ...version }) => ({
    ...{ class: runClass, scope, targetWorker: null, version },
  }));
}
