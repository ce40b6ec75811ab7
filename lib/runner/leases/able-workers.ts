import { keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Run, Version, Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { Grants } from "@/lib/policy/grants/schema";
import {
  describeNotAllowed,
  Isolation,
  isIsolatedEnough,
  needsOperator,
  type WorkerRefusal,
} from "@/lib/policy/worker-allowance";
import { loadWaiting, type WaitingRun, type WantedRuns } from "@/lib/runner/runs/load-runs";
import type { Settings } from "@/lib/settings/schema";
import { getSettings } from "@/lib/settings/settings";
import { SkillClass } from "@/lib/skill-format/schema";
import {
  type AllowingWorker,
  allowingWorkers,
  type Granted,
  mayTake,
  refusingWorkers,
} from "@/lib/skills/access/worker-allowances";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const SETTING = {
  safe: "safeWithoutSandbox",
  mutating: "mutatingWithoutSandbox",
  dangerous: "dangerousWithoutSandbox",
} as const satisfies Record<SkillClass, keyof Settings>;

type Isolated = { isolation: string | null };

const Level = Isolation.catch("none");
const levelOf = ({ isolation }: Isolated): Isolation => Level.parse(isolation);
const isolates = (worker: Isolated, name: SkillClass): boolean => isIsolatedEnough(levelOf(worker), name);

type WantedIsolation = { class: SkillClass; scope: string; workerId: string | undefined; isForOwnUse: boolean };

const ONLINE = query<Pick<Worker, "id" | "name" | "manager" | "isolation">>(
  `SELECT "id", "name", "manager", "isolation" FROM "Worker"
   WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ? ORDER BY "name"`,
  { manager: "flag" },
);

const AGAIN = "start the run again";

type WantedAllowance = { class: SkillClass; scope: string; workerId: string | undefined; granted: Granted };

/**
 * Why a run would end before it starts: no online worker that could take it and isolates its class also allows all its
 * grants. Null when one does, and when no such worker is online: then the run waits and is checked at its lease. Reads
 * nothing for a run whose grants need no operator.
 */
export async function whyNotAllowed(ctx: Ctx, { granted, ...wanted }: WantedAllowance): Promise<string | null> {
  if (!needsOperator(granted.grants)) return null;
  const { able, refusing } = await judge(ctx, await allowingWorkers(ctx), wanted, granted);
  return refusing.length === 0 || refusing.length < able.length ? null : describeNotAllowed(refusing, AGAIN);
}

type Judged = { able: AllowingWorker[]; refusing: (AllowingWorker & WorkerRefusal)[] };

async function judge(
  ctx: Ctx,
  workers: readonly AllowingWorker[],
  { class: runClass, scope, workerId }: Omit<WantedAllowance, "granted">,
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

/** The classes that a worker may not run, because its isolation is too weak and no setting allows it. */
export async function refusedClasses(ctx: Ctx, worker: Isolated): Promise<SkillClass[]> {
  const doubtful = SkillClass.options.filter((name) => !isolates(worker, name));
  if (doubtful.length === 0) return [];
  const settings = await getSettings(ctx);
  return doubtful.filter((name) => !settings[SETTING[name]]);
}

/** Names the workers that isolate too weakly, and the two ways to fix that. */
export function noIsolationMessage(workers: string, skillClass: SkillClass): string {
  return (
    `${workers} cannot isolate ${skillClass} runs. Install bubblewrap on its host and start it again, or let an admin allow ` +
    `${skillClass} runs there with the setting ${SETTING[skillClass]}, under Settings, This server.`
  );
}

/** Whether a worker isolates runs approved by their owner alone: with namespaces, regardless of the settings. */
export function isolatesOwnUse(worker: Isolated): boolean {
  return isolates(worker, "dangerous");
}

/** Says that a worker isolates too weakly for versions that their owner alone approved. */
export function noOwnUseMessage(workers: string): string {
  return (
    `${workers} cannot isolate runs of versions that their owner alone approved: these need namespaces, regardless of the settings. ` +
    "Install bubblewrap on its host and start it again, or let a reviewer approve the version."
  );
}

/** Whether another online worker takes runs of this scope and isolates versions that their owner alone approved. */
export async function isOwnUseTaken(ctx: Ctx, besides: string, scope: string): Promise<boolean> {
  const others = (await onlineWorkers(ctx)).filter(
    ({ id, manager }) => id !== besides && (manager || scope === "host"),
  );
  return others.some(isolatesOwnUse);
}

/** Why no online worker isolates a run well enough; null when one does, or when none is online and the run waits. */
export async function whyNoIsolation(ctx: Ctx, wanted: WantedIsolation): Promise<string | null> {
  const online = (await onlineWorkers(ctx)).filter(({ id, manager }) =>
    wanted.workerId ? id === wanted.workerId : manager || wanted.scope === "host",
  );
  const isAble = wanted.isForOwnUse ? isolatesOwnUse : (worker: Isolated) => isolates(worker, wanted.class);
  if (online.length === 0 || online.some(isAble)) return null;
  if (!wanted.isForOwnUse && (await getSettings(ctx))[SETTING[wanted.class]]) return null;
  const names = online.map(({ name }) => `“${name}”`).join(", ");
  const workers = online.length === 1 ? `The worker ${names}` : `The workers ${names}`;
  return wanted.isForOwnUse ? noOwnUseMessage(workers) : noIsolationMessage(workers, wanted.class);
}

/** For each class that a worker refuses: the scopes of runs that another online worker takes and isolates. */
export async function leftToOthers(
  ctx: Ctx,
  besides: string,
  refused: SkillClass[],
): Promise<{ class: SkillClass; scopes: string[] }[]> {
  if (refused.length === 0) return [];
  const others = (await onlineWorkers(ctx)).filter(({ id }) => id !== besides);
  return refused.flatMap((name) => {
    const able = others.filter((worker) => isolates(worker, name));
    if (able.length === 0) return [];
    return [{ class: name, scopes: able.some(({ manager }) => manager) ? ["manager", "host"] : ["host"] }];
  });
}

function onlineWorkers(ctx: Ctx) {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  return sqlOf(ctx).all(ONLINE, since);
}
