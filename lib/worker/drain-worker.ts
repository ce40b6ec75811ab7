import type { Worker } from "./create-worker";
import type { StopReason } from "./launch/stop-reason";

/** Shorter than other graces: the outcomes still have to reach the server before the worker ends. */
const GRACE_MS = 1500;

export const drainReason: StopReason = {
  code: "worker_stopped",
  message: "The worker was stopped.",
  graceMs: GRACE_MS,
};

/** Takes no more leases and ends every run; the loops return once the server has heard of all of them. */
export function drainWorker(worker: Worker): void {
  worker.isDraining = true;
  worker.warm?.close();
  worker.starters?.close();
  worker.runDirs.close();
  for (const stop of worker.running.values()) stop.abort(drainReason);
  worker.reportWake.notify();
  worker.slotWake.notify();
}
