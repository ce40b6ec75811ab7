import type { Worker } from "./create-worker";
import type { ExchangeResponse } from "./protocol";
import { keyOf, startRun } from "./start-run";
import type { StopReason } from "./stop-reason";

const CANCEL_GRACE_MS = 2000;

/** Does what the server's answer says: starts the leases, ends the runs to cancel. Runs it does not know it ignores. */
export function acceptAnswer(worker: Worker, answer: ExchangeResponse): void {
  if (answer.accepted) worker.outbox.accept(answer.accepted);
  for (const lease of answer.leases) startRun(worker, lease);
  for (const cancel of answer.cancel) {
    const reason: StopReason = {
      code: "cancelled",
      message: cancel.reason.slice(0, 1000),
      graceMs: CANCEL_GRACE_MS,
    };
    worker.running.get(keyOf(cancel))?.abort(reason);
  }
  if (answer.rescan) {
    worker.rescan.isAsked = true;
    worker.rescan.wake.notify();
  }
}
