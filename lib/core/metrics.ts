import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { processStore } from "./process-store";

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const RUN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800];
const WRITE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const SHARED = [1, 2, 4, 8, 16, 32, 64];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics of this process for `GET /metrics`. Figures from the database are read at collection. Labels come from fixed
 * lists, never ids.
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
      help: "Answered requests, by route pattern, method and status class.",
      labelNames: ["method", "route", "status"] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: "skillgate_http_request_duration_seconds",
      help: "Seconds until the end of the response. Streams and long polls count for as long as they are open.",
      labelNames: ["method", "route"] as const,
      buckets: REQUEST_SECONDS,
      registers,
    }),
    refusals: new Counter({
      name: "skillgate_http_problems_total",
      help: "Requests that were answered with a problem, by its code.",
      labelNames: ["code"] as const,
      registers,
    }),
    runsEnded: new Counter({
      name: "skillgate_runs_ended_total",
      help: "Runs that ended through this process, by state.",
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
      help: "Seconds that runs waited in the queue for a worker.",
      labelNames: ["class"] as const,
      buckets: RUN_SECONDS,
      registers,
    }),
    writesWaiting: new Gauge({
      name: "skillgate_database_writes_waiting",
      help: "Transactions of this process that are queued or running.",
      registers,
    }),
    writeSeconds: new Histogram({
      name: "skillgate_database_write_duration_seconds",
      help: "Seconds from queueing a transaction to its commit.",
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
