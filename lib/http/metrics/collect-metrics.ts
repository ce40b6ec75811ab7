import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { backupsFolderOf } from "@/lib/backup/instance";
import { readBackups } from "@/lib/backup/read-backups";
import { getEnv } from "@/lib/core/env";
import { freeSpace } from "@/lib/core/free-space";
import { measures } from "@/lib/core/measures";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { readJobs } from "@/lib/jobs/list-jobs";
import packageJson from "@/package.json" with { type: "json" };
import { isDraining } from "../draining";
import { countInFlight } from "../observe/in-flight";
import { readState } from "./read-state";

const EVENT_LOOP_MS = 50;

/** Begins to count what Node.js says of the process. */
export function measureProcess(): void {
  processStore("process-measures", () => {
    collectDefaultMetrics({ register: measures().registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
    return true;
  });
}

/**
 * All metrics in Prometheus' text format: what this process counted, and what the instance is like now. Who may read them
 * has been decided before; `ctx` acts as the server.
 */
export async function collectMetrics(ctx: Ctx): Promise<{ contentType: string; text: string }> {
  const counted = measures().registry;
  const now = new Registry();
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `skillgate_${name}`, help, registers: [now] }).set(value);
  const gauges = <T extends string>(name: string, help: string, label: T, values: [string, number][]) => {
    const made = new Gauge({ name: `skillgate_${name}`, help, labelNames: [label], registers: [now] });
    for (const [key, value] of values) made.set({ [label]: key } as Record<T, string>, value);
  };
  const state = await readState(ctx);
  gauges("info", "The release, as a label.", "version", [[packageJson.version, 1]]);
  gauge("draining", "1 when this process is about to stop.", isDraining() ? 1 : 0);
  gauge("http_requests_in_flight", "Requests of this process under way.", countInFlight().requests);
  gauge("event_streams_open", "Streams of server-sent events of this process.", countInFlight().streams);
  gauges("runs", "Runs that have not ended, by state.", "state", Object.entries(state.runs));
  gauge("run_queue_oldest_seconds", "How long the oldest run in the queue waits.", state.oldestQueuedSeconds);
  gauge("workers_online", "Workers that were heard of lately.", state.workers.online);
  gauge("worker_slots", "Runs that these can take at a time.", state.workers.slots);
  gauge("worker_slots_busy", "Runs that are on a worker.", state.workers.busy);
  gauge("reviews_waiting", "Versions that wait for a decision.", state.reviews);
  gauge("audit_head_seq", "Number of the newest audit event.", state.audit.head);
  if (state.audit.verified !== null) {
    gauge("audit_verified", "1 when the last verification of the audit held, else 0.", state.audit.verified.ok ? 1 : 0);
    gauge("audit_verified_timestamp_seconds", "When that was.", state.audit.verified.at.getTime() / 1000);
  }
  const jobs = await readJobs(ctx);
  gauge("jobs_leader", "1 when this process does the background work.", jobs.leader?.isThisProcess ? 1 : 0);
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
