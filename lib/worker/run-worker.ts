import type { Worker } from "./create-worker";
import { pollLeases } from "./poll-leases";
import { reportRuns } from "./report-runs";

/**
 * Leases, executes and reports runs until the worker is drained (see drainWorker). Throws ServerError when the server
 * refuses the token; the runs are then still executing.
 */
export async function runWorker(worker: Worker): Promise<void> {
  const polling = new AbortController();
  const polled = pollLeases(worker, polling.signal);
  const reported = reportRuns(worker);
  try {
    // The poll under way is left open until the farewell is said: a lease that comes in it is still answered.
    await Promise.race([reported, polled.then(() => reported)]);
  } finally {
    polling.abort();
  }
  await polled;
}
