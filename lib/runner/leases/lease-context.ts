import { eventsVisibleTo } from "@/lib/audit/list-events";
import { findCaller } from "@/lib/auth/people/find-caller";
import type { PersonActor } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";
import { hasScope } from "@/lib/policy/require-scope";
import { runsVisibleTo } from "@/lib/runner/runs/load-runs";
import { JsonObject } from "@/lib/skill-format/schema";
import { findReleased } from "@/lib/skills/approval/release-manifest";
import { LEASE_SECONDS } from "@/lib/worker/protocol";

const DEFAULT_WINDOW_MINUTES = 1440;
const MAX_WINDOW_MINUTES = 43_200;
const MAX_EDGES = 500;
const MAX_CHANGES = 1000;

type AskedRun = {
  id: string;
  versionDigest: string;
  args: string;
  callerKind: string;
  callerId: string;
  tokenId: string | null;
  sessionId: string | null;
  skill: { source: string };
};

/** Server data for a built-in of this release, read with its caller's current rights; undefined for other skills. */
export async function leaseContext(ctx: Ctx, run: AskedRun): Promise<unknown> {
  if (run.skill.source !== "worker") return undefined;
  const kind = (await findReleased(run.versionDigest))?.context;
  if (kind === undefined) return undefined;
  const caller = run.callerKind === "system" ? null : await findCaller(ctx, { ...run, userId: run.callerId });
  const windowMinutes = windowOf(run.args);
  const at = ctx.now();
  const about = { at: at.toISOString(), windowMinutes };
  const since = new Date(at.getTime() - windowMinutes * 60_000);
  const reader = caller !== null && hasScope(caller, "read") ? caller : null;
  if (kind === "edges") return { ...about, ...(await readEdges(ctx, reader, { since, besides: run.id })) };
  return { ...about, ...(await readChanges(ctx, reader, since)) };
}

function windowOf(args: string): number {
  const given = parseJsonColumn(JsonObject, args).window_minutes;
  const minutes = typeof given === "number" ? given : DEFAULT_WINDOW_MINUTES;
  return Math.min(Math.max(1, minutes), MAX_WINDOW_MINUTES);
}

async function readEdges(ctx: Ctx, reader: PersonActor | null, { since, besides }: { since: Date; besides: string }) {
  if (reader === null) return { edges: [], truncated: false };
  const workers = await ctx.db.worker.findMany({
    where: { revokedAt: null },
    orderBy: { name: "asc" },
    take: MAX_EDGES + 1,
  });
  const running = await ctx.db.run.groupBy({
    by: ["workerId"],
    where: { state: "running", id: { not: besides } },
    _count: true,
  });
  const ofWindow = await ctx.db.run.groupBy({
    by: ["workerId", "state"],
    where: {
      AND: [runsVisibleTo(reader), { queuedAt: { gte: since }, workerId: { not: null }, id: { not: besides } }],
    },
    _count: { _all: true },
    _sum: { durationMs: true },
  });
  const onlineSince = ctx.now().getTime() - LEASE_SECONDS * 2 * 1000;
  const edges = workers.slice(0, MAX_EDGES).map((worker) => {
    const taken = running.find(({ workerId }) => workerId === worker.id)?._count ?? 0;
    return {
      id: worker.id,
      name: worker.name,
      online: (worker.lastSeenAt?.getTime() ?? 0) >= onlineSince,
      manager: worker.manager,
      version: worker.version,
      platform: worker.platform,
      isolation: worker.isolation,
      slots: worker.slots,
      running: taken,
      load: worker.load,
      busy: worker.slots === 0 ? 0 : thousandth(taken / worker.slots),
      lastSeenAt: worker.lastSeenAt?.toISOString() ?? null,
      ...countRuns(ofWindow.filter(({ workerId }) => workerId === worker.id)),
    };
  });
  return { edges, truncated: workers.length > MAX_EDGES };
}

type Group = { state: string; _count: { _all: number }; _sum: { durationMs: number | null } };

/** Runs that a person cancelled count as runs, but neither as succeeded nor as failed. */
function countRuns(groups: Group[]) {
  const count = (...states: string[]) =>
    groups.reduce((sum, group) => sum + (states.includes(group.state) ? group._count._all : 0), 0);
  const [succeeded, failed] = [count("succeeded"), count("failed")];
  const finished = succeeded + failed;
  const ms = groups.reduce(
    (sum, { state, _sum }) => sum + (/^(succeeded|failed)$/.test(state) ? (_sum.durationMs ?? 0) : 0),
    0,
  );
  return {
    runs: groups.reduce((sum, group) => sum + group._count._all, 0),
    succeeded,
    failed,
    failureRate: finished === 0 ? null : thousandth(failed / finished),
    averageMs: finished === 0 ? null : Math.round(ms / finished),
  };
}

function thousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}

async function readChanges(ctx: Ctx, reader: PersonActor | null, since: Date) {
  if (reader === null) return { events: [], truncated: false };
  const rows = await ctx.db.auditEvent.findMany({
    where: { AND: [eventsVisibleTo(reader), { at: { gte: since } }] },
    orderBy: { seq: "desc" },
    take: MAX_CHANGES + 1,
    select: { at: true, actorName: true, action: true, outcome: true, targetName: true, summary: true },
  });
  const events = rows.slice(0, MAX_CHANGES).map((row) => ({
    at: row.at.toISOString(),
    actor: row.actorName,
    action: row.action,
    outcome: row.outcome,
    target: row.targetName,
    summary: row.summary.slice(0, 500),
  }));
  return { events, truncated: rows.length > MAX_CHANGES };
}

const MAX_PARENTS = 20;

type StartedRun = { id: string; callerId: string; sessionId: string | null; parentRunId: string | null };

/**
 * The worker's id for the workspace of a run that was granted one: shared by a caller's runs in a session, or by the runs
 * below one pipeline run; else the run's own. Null without the grant. It is a hash, so that session ids do not leave the
 * server and other workspaces cannot be named.
 */
export async function workspaceOf(ctx: Pick<Ctx, "db">, run: StartedRun, grants: Grants): Promise<string | null> {
  if (grants.workspace !== true) return null;
  const root = await rootOf(ctx, run);
  const shared = root.sessionId ? `session ${root.sessionId}` : `run ${root.id}`;
  return sha256Hex(`workspace\n${run.callerId}\n${shared}`).slice(0, 32);
}

async function rootOf(ctx: Pick<Ctx, "db">, run: StartedRun): Promise<Pick<StartedRun, "id" | "sessionId">> {
  let root: StartedRun = run;
  for (let level = 0; root.parentRunId !== null && level < MAX_PARENTS; level += 1) {
    const parent = await ctx.db.run.findUnique({
      where: { id: root.parentRunId },
      select: { id: true, callerId: true, sessionId: true, parentRunId: true },
    });
    if (parent === null) break;
    root = parent;
  }
  return root;
}
