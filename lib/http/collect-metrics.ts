import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { backupsFolderOf } from "@/lib/backup/instance";
import { readBackups } from "@/lib/backup/read-backups";
import { getEnv } from "@/lib/core/env";
import { freeSpace } from "@/lib/core/free-space";
import { metrics } from "@/lib/core/metrics";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { readJobs } from "@/lib/jobs/list-jobs";
import { LEASE_SECONDS } from "@/lib/worker/protocol";
import packageJson from "@/package.json" with { type: "json" };
import { countInFlight } from "./observe/observe-request";
import { isDraining } from "./shutdown";

const EVENT_LOOP_MS = 50;

export function measureProcess(): void {
  processStore("process-metrics", () => {
    collectDefaultMetrics({ register: metrics().registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
    return true;
  });
}

/**
 * Collects the metrics of this process and the instance in Prometheus' text format. The caller checks access; `ctx`
 * acts as the server.
 */
export async function collectMetrics(ctx: Ctx): Promise<{ contentType: string; text: string }> {
  const counted = metrics().registry;
  const now = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `skillgate_${name}`, help, registers: [now] }).set(value);
  const gauges = <T extends string>(name: string, help: string, label: T, values: [string, number][]) => {
    const made = new Gauge({ name: `skillgate_${name}`, help, labelNames: [label], registers: [now] });
    for (const [key, value] of values) made.set({ [label]: key } as Record<T, string>, value);
  };
  const state = await readState(ctx);
  gauges("info", "The release, as a label.", "version", [[packageJson.version, 1]]);
  gauge("draining", "1 while this process drains before it stops.", isDraining() ? 1 : 0);
  gauge("http_requests_in_flight", "Requests of this process under way.", countInFlight().requests);
  gauge("event_streams_open", "Streams of server-sent events of this process.", countInFlight().streams);
  gauges("runs", "Runs that have not ended, by state.", "state", Object.entries(state.runs));
  gauge("run_queue_oldest_seconds", "Age of the oldest queued run.", state.oldestQueuedSeconds);
  gauge("workers_online", "Workers that reported recently.", state.workers.online);
  gauge("worker_slots", "Runs that these can take at a time.", state.workers.slots);
  gauge("worker_slots_busy", "Runs that are on a worker.", state.workers.busy);
  gauge("reviews_waiting", "Versions that wait for a decision.", state.reviews);
  gauge("audit_head_seq", "Number of the newest audit event.", state.audit.head);
  if (state.audit.verified !== null) {
    gauge(
      "audit_verified",
      "1 when the last verification of the audit log held, else 0.",
      state.audit.verified.ok ? 1 : 0,
    );
    gauge(
      "audit_verified_timestamp_seconds",
      "Time of the last verification of the audit log.",
      state.audit.verified.at.getTime() / 1000,
    );
  }
  const jobs = await readJobs(ctx);
  gauge("jobs_leader", "1 when this process runs the background jobs.", jobs.leader?.isThisProcess ? 1 : 0);
  if (jobs.leader?.isThisProcess) {
    const late = jobs.items.map(({ name, lateSeconds }): [string, number] => [name, lateSeconds]);
    gauges("job_late_seconds", "How long a background job is overdue.", "job", late);
  }
  gauge("data_free_bytes", "Free space on the disk of the data directory.", freeSpace(getEnv().dataDir) ?? Number.NaN);
  const [newest] = (await readBackups(backupsFolderOf(getEnv()))).filter(({ verified }) => verified);
  if (newest)
    gauge("backup_timestamp_seconds", "When the newest verified backup was made.", Date.parse(newest.at) / 1000);
  return { contentType: counted.contentType, text: (await counted.metrics()) + (await now.metrics()) };
}

type InstanceState = {
  /** States before the end; ended runs are counted as they end. */
  runs: { awaiting_approval: number; queued: number; running: number };
  oldestQueuedSeconds: number;
  workers: { online: number; slots: number; busy: number };
  reviews: number;
  audit: { head: number; verified: { at: Date; ok: boolean } | null };
};

const COUNT = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "Run" WHERE "state" = ?`);
const OLDEST = query<{ queuedAt: Date | null }>(`SELECT MIN("queuedAt") AS "queuedAt" FROM "Run" WHERE "state" = ?`, {
  queuedAt: "date",
});
const WORKERS = query<{ online: number; slots: number | null }>(
  `SELECT COUNT(*) AS "online", SUM("slots") AS "slots" FROM "Worker" WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ?`,
);
const BUSY = query<{ count: number }>(
  `SELECT COUNT(*) AS "count" FROM "Run" WHERE "state" = ? AND "workerId" IS NOT NULL`,
);
const REVIEWS = query<{ count: number }>(`SELECT COUNT(*) AS "count" FROM "Version" WHERE "state" = ?`);
const HEAD = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);

/** Uses indexes only, so its cost does not grow with the number of runs or events. */
export async function readState(ctx: Ctx): Promise<InstanceState> {
  const sql = sqlOf(ctx);
  const count = async (state: string) => (await sql.get(COUNT, state))?.count ?? 0;
  const oldest = (await sql.get(OLDEST, "queued"))?.queuedAt ?? null;
  const online = await sql.get(WORKERS, new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000));
  return {
    runs: {
      awaiting_approval: await count("awaiting_approval"),
      queued: await count("queued"),
      running: await count("running"),
    },
    oldestQueuedSeconds: oldest === null ? 0 : Math.max(0, ctx.now().getTime() - oldest.getTime()) / 1000,
    workers: {
      online: online?.online ?? 0,
      slots: online?.slots ?? 0,
      busy: (await sql.get(BUSY, "running"))?.count ?? 0,
    },
    reviews: (await sql.get(REVIEWS, "pending"))?.count ?? 0,
    audit: { head: (await sql.get(HEAD))?.seq ?? 0, verified: await lastVerified(ctx) },
  };
}

type Verified = { at: Date; outcome: string };

/** The last recorded verification, found by its term in the audit index. */
async function lastVerified(ctx: Ctx): Promise<{ at: Date; ok: boolean } | null> {
  const found = await sqlOf(ctx).get(VERIFIED, "action", "audit.verify");
  return found === undefined ? null : { at: found.at, ok: found.outcome === "ok" };
}

const VERIFIED = query<Verified>(
  `SELECT e."at", e."outcome" FROM "AuditEvent" e WHERE e."seq" = (
     SELECT MAX(p."seq") FROM "AuditPosting" p JOIN "AuditTerm" t ON t."id" = p."termId"
     WHERE t."kind" = ? AND t."value" = ?)`,
  { at: "date" },
);
