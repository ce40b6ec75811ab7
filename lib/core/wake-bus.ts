import { EventEmitter } from "node:events";
import { processStore } from "./process-store";

/**
 * `work`: there may be a lease or a cancellation to hand out; `run:<id>`: a run changed or said something; `job:<name>`:
 * somebody asked for a background job; `settings`: these changed; `stop:<id>`: an answer is to be broken off.
 */
export type WakeTopic = "work" | "settings" | `run:${string}` | `job:${string}` | `stop:${string}`;

function bus(): EventEmitter {
  return processStore("wake-bus", () => new EventEmitter().setMaxListeners(0));
}

type Relay = { send: ((topic: string) => void) | null };
const relay = () => processStore<Relay>("wake-relay", () => ({ send: null }));

/** Of a run: it began on a worker, which is no news to who waits for its end. */
export type WakeHint = "begun";

/**
 * Tells everybody who waits on the topic, in this process and in the others of this instance. Call it after the
 * transaction, never inside. The hint says what it is about; it stays in this process, and others look by themselves.
 */
export function wake(topic: WakeTopic, hint?: WakeHint): void {
  bus().emit(topic, hint);
  relay().send?.(topic);
}

/** Has what is told in this process told to the others as well. */
export function relayWakes(send: ((topic: string) => void) | null): void {
  relay().send = send;
}

/** Passes on what another process told; null when something may have been missed, so that everybody looks. */
export function wakeHere(topic: string | null): void {
  for (const each of topic === null ? bus().eventNames() : [topic]) bus().emit(each);
}

/** Calls back for each wake-up until the returned function is called. */
export function onWake(topic: WakeTopic, callback: () => void): () => void {
  bus().on(topic, callback);
  return () => void bus().off(topic, callback);
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
 * `next` resolves at the next wake-up since it was last called, or after the time-out; a hint of `deafTo` is no wake-up.
 */
export function listen(topic: WakeTopic, signal?: AbortSignal, deafTo?: WakeHint): Waiter {
  let woken = false;
  let release: (() => void) | null = null;
  const hear = () => {
    woken = true;
    release?.();
  };
  const hearTopic = (hint?: WakeHint) => {
    if (hint === undefined || hint !== deafTo) hear();
  };
  bus().on(topic, hearTopic);
  signal?.addEventListener("abort", hear);
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
      bus().off(topic, hearTopic);
      signal?.removeEventListener("abort", hear);
      release?.();
    },
  };
}
