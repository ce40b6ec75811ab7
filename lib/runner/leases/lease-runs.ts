import { z } from "zod";
import { recordRunEvent } from "@/lib/audit/record-run-event";
import { AppError } from "@/lib/core/errors";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import { metrics } from "@/lib/core/metrics";
import type { Ctx, Tx } from "@/lib/db/context";
import type { Skill, Version } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { timeoutOf } from "@/lib/policy/grants/settle-grants";
import { requireWorker } from "@/lib/policy/require-scope";
import { ALLOWS_NOTHING, type WorkerAllowance } from "@/lib/policy/worker-allowance";
import { whyRunLostApproval } from "@/lib/review/run-approval";
import { endUnstartedRun } from "@/lib/runner/runs/end-run";
import type { WantedRuns } from "@/lib/runner/runs/load-runs";
import { type CallerCache, recheckRun, whyNotOffered } from "@/lib/runner/runs/recheck-run";
import { unsealSecrets } from "@/lib/runner/runs/run-secrets";
import { cachedSettings } from "@/lib/settings/settings";
import { JsonObject, type SkillClass } from "@/lib/skill-format/schema";
import { isOwnerApproved } from "@/lib/skills/approval/owner-approval";
import { decidedEntry, servedManifest } from "@/lib/skills/approval/served-manifest";
import { readVerifiedBytes, recordTampering } from "@/lib/skills/versions/read-blob";
import type { ExchangeResponse } from "@/lib/worker/protocol";
import { LEASE_SECONDS, type Lease, RunLimits, type RunTerms } from "@/lib/worker/protocol";
import {
  isOwnUseTaken,
  isolatesOwnUse,
  leftToOthers,
  loadAllowed,
  noIsolationMessage,
  noOwnUseMessage,
  refusedClasses,
} from "./able-workers";
import { leaseContext, workspaceOf } from "./lease-context";

const HOLD = query(
  `UPDATE "Run" SET "state" = 'running', "fence" = ?, "workerId" = ?, "isolation" = ?, "unacknowledged" = ?,
     "startedAt" = ?, "leaseUntil" = ? WHERE "id" = ?`,
);
const OFFERS = query<{ offers: string }>(`SELECT "offers" FROM "Worker" WHERE "id" = ?`);

const EnvNames = z.array(z.string());

type WorkerRow = { id: string; name: string; manager: boolean; isolation: string | null };

/** `acknowledges`: the worker reports when it starts a run; until then the run counts as not started. */
type Wanted = { slots: number; acknowledges: boolean };

/**
 * Leases the oldest waiting runs to a worker, at most `slots`. The fence rises with each lease, so that late reports of an
 * earlier holder are recognised as stale. A run whose approval is no longer valid ends here, and so does one that no online
 * worker isolates well enough or fully allows.
 */
export async function leaseRuns(
  tx: Tx,
  ctx: Ctx,
  worker: WorkerRow,
  { slots, acknowledges }: Wanted,
): Promise<Lease[]> {
  if (slots === 0) return [];
  const scopes = worker.manager ? ["manager", "host"] : ["host"];
  const refused = await refusedClasses(ctx, worker);
  const left = await leftToOthers(ctx, worker.id, refused);
  const wanted = { workerId: worker.id, scopes, leftToOthers: left };
  const waiting = await loadTakeable(ctx, worker, wanted, slots);
  const callers: CallerCache = new Map();
  const leases: Lease[] = [];
  for (const { run: queued, notAllowed } of waiting) {
    const run = { ...queued, worker };
    const changed = await whyRunLostApproval(ctx, run);
    const isTooWeak = changed === null && !isolatesOwnUse(worker) && isOwnerApproved(run);
    const refusal =
      refuseUnsandboxed(run, worker, refused, isTooWeak) ??
      (await whyNotStart(ctx, run, changed, callers)) ??
      (notAllowed === null ? null : refusalOf(run.skill.name, "worker_does_not_allow", notAllowed));
    if (refusal !== null) {
      await endUnstartedRun(tx, ctx, run, refusal);
      continue;
    }
    const { secrets, missing } = await unsealSecrets(tx, ctx, run);
    if (missing !== null) {
      await endUnstartedRun(tx, ctx, run, withoutCredential(run.skill.name, missing));
      continue;
    }
    const manifest = servedManifest(run.version);
    const script = decidedEntry(run.version);
    const grants = keepParsed(Grants, run.version.grants ?? "{}");
    const fence = run.fence + 1;
    const startedAt = ctx.now();
    const leaseUntil = new Date(startedAt.getTime() + LEASE_SECONDS * 1000);
    const held = [fence, worker.id, worker.isolation, acknowledges, startedAt, leaseUntil] as const;
    await ctx.database.writeSql.run(HOLD, ...held, run.id);
    await recordRunEvent(tx, ctx, run, {
      action: "run.lease",
      summary: `took a run of ${run.skill.name}`,
      startedAt,
      data: { fence, isolation: worker.isolation, allows: await allowanceAtLease(ctx, worker.id, grants) },
    });
    leases.push({
      runId: run.id,
      fence,
      skillName: run.skill.name,
      versionDigest: run.versionDigest,
      files: run.version.files.map(({ path, mode, sha256, size }) => ({
        path,
        mode: mode === "755" ? "755" : "644",
        sha256,
        size,
      })),
      entry: manifest.entry ?? "",
      schema: manifest.schema,
      ...(script ? { call: script.call, output: script.output } : {}),
      args: parseJsonColumn(JsonObject, run.args),
      env: keepParsed(EnvNames, run.env),
      limits: keepParsed(RunLimits, run.limits),
      terms: sandboxTerms(grants),
      // Credentials and script arguments belong to one run only.
      warm: secrets.length > 0 || script !== null ? null : packName(run.version),
      secrets,
      workspace: await workspaceOf(ctx, run, grants),
      context: await leaseContext(ctx, run),
      ...(acknowledges && !mayRepeat(run) ? { barrier: true } : {}),
      ...(run.traceParent === null ? {} : { traceParent: run.traceParent }),
    });
    const waitedMs = startedAt.getTime() - run.queuedAt.getTime();
    metrics().queueSeconds.observe({ class: run.class }, Math.max(0, waitedMs) / 1000);
  }
  return leases;
}

/** Skips runs approved by their owner alone that another online worker isolates better, so that later runs are not held up. */
async function loadTakeable(ctx: Ctx, worker: WorkerRow, wanted: WantedRuns, slots: number) {
  const leftVersions: string[] = [];
  for (;;) {
    const waiting = await loadAllowed(ctx, { ...wanted, leftVersions }, slots);
    if (isolatesOwnUse(worker)) return waiting;
    const before = leftVersions.length;
    for (const { run } of waiting) {
      if (run.targetWorker !== null || (await whyRunLostApproval(ctx, run)) !== null || !isOwnerApproved(run)) continue;
      if (await isOwnUseTaken(ctx, worker.id, run.scope)) leftVersions.push(run.versionId);
    }
    if (leftVersions.length === before) return waiting;
  }
}

/** Whether a run may execute twice: it changes nothing and was not signed by people. Others wait at the barrier. */
export function mayRepeat(run: { class: string; signatures: number | null; parkedAt: Date | null }): boolean {
  return run.class === "safe" && run.signatures === null && run.parkedAt === null;
}

type Queued = Parameters<typeof recheckRun>[1] &
  Parameters<typeof whyRunLostApproval>[1] & {
    versionId: string;
    skillId: string;
    limits: string;
    skill: { enabled: boolean; listed: boolean; currentId: string | null };
  };

async function whyNotStart(
  ctx: Ctx,
  run: Queued,
  changed: string | null,
  callers: CallerCache,
): Promise<Refusal | null> {
  const { version, skill } = run;
  const isApproved = version.state === "approved" && version.subject === run.subject && skill.enabled && skill.listed;
  // People signed the version that was current then; an unsigned run may still start on the previous one.
  const isCurrent = run.signatures === null || skill.currentId === run.versionId;
  if (!isApproved || !isCurrent) {
    return refusalOf(skill.name, "not_approved", "The approval of this run is no longer valid.");
  }
  if (changed !== null)
    return refusalOf(skill.name, "not_approved", `The stored version differs from the approved one: ${changed}.`);
  if (!keepsLimits(run))
    return refusalOf(skill.name, "not_approved", "The limits of the run differ from the approved ones.");
  const recheck = await recheckRun(ctx, run, callers);
  if (recheck.verdict === "start") {
    const closed = await whyNotOffered(ctx, recheck.caller, run.skillId);
    return closed === null ? null : refusalOf(skill.name, "not_permitted", closed);
  }
  const unsigned = "It now needs approvals that it did not need when it was started.";
  return refusalOf(skill.name, "not_permitted", recheck.verdict === "refuse" ? recheck.message : unsigned);
}

/** Whether a run's limits are at most those of its approval and of every run; output limits follow the settings. */
function keepsLimits({ limits, version }: Queued): boolean {
  try {
    const { timeoutMs, stdoutBytes, stderrBytes, ...others } = keepParsed(RunLimits, limits);
    const most = RunLimits.parse({ timeoutMs, stdoutBytes, stderrBytes });
    const isTimely = timeoutMs <= timeoutOf(keepParsed(Grants, version.grants ?? "{}")) * 1000;
    return isTimely && Object.entries(others).every(([name, value]) => value <= most[name as keyof typeof others]);
  } catch {
    return false;
  }
}

function refuseUnsandboxed(
  run: Queued,
  worker: WorkerRow,
  refused: SkillClass[],
  isTooWeakForOwnUse: boolean,
): Refusal | null {
  const name = `The worker “${worker.name}”`;
  if (isTooWeakForOwnUse) return refusalOf(run.skill.name, "no_isolation", noOwnUseMessage(name));
  const found = refused.find((name) => name === run.class);
  if (found === undefined) return null;
  return refusalOf(run.skill.name, "no_isolation", noIsolationMessage(name, found));
}

function withoutCredential(name: string, message: string): Refusal {
  return refusalOf(name, "credential_missing", message);
}

type Refusal = Parameters<typeof endUnstartedRun>[3];

function refusalOf(name: string, code: string, message: string): Refusal {
  const summary = `did not start ${name}: ${message}`;
  return { state: "failed", error: { code, message }, event: { action: "run.refuse", outcome: "refused", summary } };
}

/** The operator's allowance at the lease, for `npm run verify-approval -- --runs`; undefined for grants that need none. */
async function allowanceAtLease(
  ctx: Ctx,
  workerId: string,
  { network, paths, namespaces, capabilities, env }: Grants,
): Promise<WorkerAllowance | undefined> {
  const lists = [paths, namespaces, capabilities, env, Array.isArray(network) ? network : []];
  if (network !== true && !lists.some((list) => list !== undefined && list.length > 0)) return undefined;
  const worker = await sqlOf(ctx).get(OFFERS, workerId);
  return worker === undefined ? undefined : (keepParsed(WorkerOffers, worker.offers).allows ?? ALLOWS_NOTHING);
}

/** The access that a decision grants beyond the plain sandbox. A list of hosts grants these hosts, not the network. */
export function sandboxTerms(grants: Grants): RunTerms {
  return {
    network: grants.network === true,
    hosts: Array.isArray(grants.network) ? grants.network : [],
    paths: grants.paths ?? [],
    namespaces: (grants.namespaces ?? []).map((name) => (name === "network" ? "net" : name)),
    capabilities: grants.capabilities ?? [],
  };
}

/** The bytes of a file of a run that this worker holds; else `not_found`. Changed bytes end the run, with `version.tampered`. */
export async function readLeasedBlob(ctx: Ctx, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const worker = requireWorker(ctx.actor);
  const leased = await ctx.db.run.findFirst({
    where: { workerId: worker.workerId, state: "running", version: { files: { some: { sha256 } } } },
    select: { id: true, versionDigest: true, skill: true },
  });
  if (!leased) throw new AppError("not_found", `No run that this worker holds has a file ${sha256.slice(0, 7)}.`);
  const bytes = await readVerifiedBytes(ctx, sha256);
  if (bytes !== null) return bytes;
  const name = sha256.slice(0, 7);
  const problem = `the stored bytes of ${name} differ from the approved ones`;
  await recordTampering(ctx, { ...leased, runId: leased.id, problem, sha256 });
  throw new AppError("not_found", `The stored bytes of ${name} were changed and are not delivered.`);
}

/** The worker's id for the prewarmed processes of a pack: the version and its approval. */
export function packName(version: { id: string; subject: string | null }): string {
  return `${version.id} ${version.subject}`;
}

type Serving = Pick<Version, "id" | "subject"> & Pick<Skill, "enabled" | "listed">;
const SERVING = query<Serving>(
  `SELECT v."id", v."subject", s."enabled", s."listed" FROM "Version" v JOIN "Skill" s ON s."currentId" = v."id"
   WHERE v."id" = ? AND v."state" = ? AND s."id" = v."skillId"`,
  { enabled: "flag", listed: "flag" },
);

/** The packs of a worker's list that are still approved and current, and the memory that their processes may use. */
export async function findCurrentPacks(ctx: Ctx, asked: string[]): Promise<NonNullable<ExchangeResponse["warm"]>> {
  const { warmStarts, warmMemoryMiB } = await cachedSettings(ctx);
  if (!warmStarts) return { memoryMiB: 0, current: [] };
  if (asked.length === 0) return { memoryMiB: warmMemoryMiB, current: [] };
  const current: string[] = [];
  for (const name of asked) {
    const version = await sqlOf(ctx).get(SERVING, name.split(" ", 1)[0] ?? "", "approved");
    if (version?.enabled && version.listed && packName(version) === name) current.push(name);
  }
  return { memoryMiB: warmMemoryMiB, current };
}
