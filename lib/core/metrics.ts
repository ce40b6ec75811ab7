import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { processStore } from "./process-store";

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const RUN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800];
const WRITE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const SHARED = [1, 2, 4, 8, 16, 32, 64];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What this process counts as it goes, for `GET /metrics`. Counting costs no more than a look into a map; what has to be
 * asked of the database is asked when somebody reads. Labels are names from fixed lists, never ids.
 */
export function metrics(): Metrics {
  return processStore("measures", createMetrics);
}

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: "skillgate_http_requests_total",
      help: "Requests that were answered, by route pattern, method and class of status.",
      labelNames: ["method", "route", "status"] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: "skillgate_http_request_duration_seconds",
      help: "Seconds until a request was answered whole. Streams and long polls count with the time they were open.",
      labelNames: ["method", "route"] as const,
      buckets: REQUEST_SECONDS,
      registers,
    }),
    refusals: new Counter({
      name: "skillgate_http_problems_total",
      help: "Requests that were answered with a problem, by its code; rate_limited is a limit that was reached.",
      labelNames: ["code"] as const,
      registers,
    }),
    runsEnded: new Counter({
      name: "skillgate_runs_ended_total",
      help: "Runs that ended through this process, by how.",
      labelNames: ["state"] as const,
      registers,
    }),
    runSeconds: new Histogram({
      name: "skillgate_run_duration_seconds",
      help: "Seconds that runs took on their worker.",
      labelNames: ["class"] as const,
      buckets: RUN_SECONDS,
      registers,
    }),
    queueSeconds: new Histogram({
      name: "skillgate_run_queue_wait_seconds",
      help: "Seconds that runs waited in the queue before a worker took them.",
      labelNames: ["class"] as const,
      buckets: RUN_SECONDS,
      registers,
    }),
    writesWaiting: new Gauge({
      name: "skillgate_database_writes_waiting",
      help: "Transactions of this process that wait for their turn or are under way.",
      registers,
    }),
    writeSeconds: new Histogram({
      name: "skillgate_database_write_duration_seconds",
      help: "Seconds from asking for a transaction to its commit, the wait for its turn included.",
      labelNames: ["kind"] as const,
      buckets: WRITE_SECONDS,
      registers,
    }),
    commitSize: new Histogram({
      name: "skillgate_database_commit_size",
      help: "Transactions that shared one commit.",
      buckets: SHARED,
      registers,
    }),
  };
}
