import { EventEmitter } from "node:events";
import { processStore } from "@/lib/core/process-store";

/** `work`: there may be a lease or a cancellation to hand out; `run:<id>`: a run changed or said something. */
export type WakeTopic = "work" | `run:${string}`;

function bus(): EventEmitter {
  return processStore("wake-bus", () => new EventEmitter().setMaxListeners(0));
}

/** Tells everybody who waits on the topic in this process. Call it after the transaction, never inside. */
export function wake(topic: WakeTopic): void {
  bus().emit(topic);
}

type Take = () => unknown;
const takers = () => processStore("work-takers", () => new Set<Take>());

/**
 * Offers work to who has waited longest for it, before it is committed: call it at the end of the transaction that makes
 * the work. The taker gets in line behind that transaction and shares its commit. `wake` is still needed afterwards.
 */
export function offerWork(): void {
  const [take] = takers();
  if (take === undefined) return;
  takers().delete(take);
  take();
}

/** Takes the next offer, once, until the returned function withdraws. */
export function awaitOffer(take: Take): () => void {
  takers().add(take);
  return () => void takers().delete(take);
}

export type Waiter = { next(timeoutMs: number): Promise<void>; stop(): void };

/**
 * Listens on a topic from now on, so that nothing is missed between reading a state and waiting for its change.
 * `next` resolves at the next wake-up since it was last called, or after the time-out.
 */
export function listen(topic: WakeTopic, signal?: AbortSignal): Waiter {
  let woken = false;
  let release: (() => void) | null = null;
  const onWake = () => {
    woken = true;
    release?.();
  };
  bus().on(topic, onWake);
  signal?.addEventListener("abort", onWake);
  return {
    next: async (timeoutMs) => {
      if (!woken && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      release = null;
      woken = false;
    },
    stop: () => {
      bus().off(topic, onWake);
      signal?.removeEventListener("abort", onWake);
      release?.();
    },
  };
}
