import { setTimeout as delay } from "node:timers/promises";
import { acceptAnswer } from "./accept-answer";
import { askServer } from "./ask-server";
import { createBackOff } from "./create-back-off";
import type { Worker } from "./create-worker";
import { MAX_WAIT_SECONDS } from "./protocol";
import { ServerError } from "./server-error";
import { keyOf } from "./start-run";

const RECHECK_MS = 60_000;

/**
 * Asks for as many leases as there are free slots, in exchanges that the server holds open for up to 20 s. Returns when
 * the worker drains or the signal is aborted; throws when the token is refused.
 */
export async function pollLeases(worker: Worker, signal: AbortSignal): Promise<void> {
  const backOff = createBackOff();
  while (!worker.isDraining && !signal.aborted) {
    // The exchange that tells of outcomes asks for what those free.
    const reserved = worker.outbox.outcomes() > 0 ? 0 : worker.slots.reserve();
    if (reserved === 0) {
      await worker.slotWake.wait(RECHECK_MS);
      continue;
    }
    try {
      await ask(worker, reserved, signal);
      backOff.reset();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      worker.log.warn({ cause: error.message }, "no leases, trying again");
      await delay(backOff.nextMs(), undefined, { signal }).catch(() => {
        // Aborted: the loop sees it.
      });
    } finally {
      worker.slots.release(reserved);
    }
  }
}

async function ask(worker: Worker, slots: number, signal: AbortSignal): Promise<void> {
  // Of a run that is ending already nothing more can be heard here: naming it would end every wait at once.
  const holding = worker.outbox.holding().filter((held) => worker.running.get(keyOf(held))?.signal.aborted === false);
  const request = { slots, waitSeconds: MAX_WAIT_SECONDS, holding, events: [], completions: [] };
  const answer = await askServer(worker, request, signal);
  acceptAnswer(worker, answer);
}
