import { EventEmitter } from "node:events";
import { processStore } from "./process-store";

/**
 * `work`: leases or cancellations may be due; `run:<id>`: the run changed or logged; `job:<name>`: run this background
 * job; `settings`: they changed; `stop:<id>`: stop this answer.
 */
export type WakeTopic = "work" | "settings" | `run:${string}` | `job:${string}` | `stop:${string}`;

function bus(): EventEmitter {
  return processStore("wake-bus", () => new EventEmitter().setMaxListeners(0));
}

type Relay = { send: ((topic: string) => void) | null };
const relay = () => processStore<Relay>("wake-relay", () => ({ send: null }));

/** The run began on a worker. Callers that wait for completion ignore this hint. */
type WakeHint = "begun";

/**
 * Notifies listeners of the topic in this process and the other processes of the instance. Call it after the
 * transaction. The hint stays in this process.
 */
export function wake(topic: WakeTopic, hint?: WakeHint): void {
  bus().emit(topic, hint);
  relay().send?.(topic);
}

/** Sets the function that sends wake-ups to the other processes. */
export function relayWakes(send: ((topic: string) => void) | null): void {
  relay().send = send;
}

/** Delivers a wake-up from another process; null wakes every topic, after wake-ups may have been lost. */
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
 * Offers work to the longest waiting taker before the commit; call it at the end of the transaction that creates the
 * work. The taker's transaction queues behind it and shares its commit. Still call `wake` afterwards.
 */
export function offerWork(): void {
  const [take] = takers();
  if (take === undefined) return;
  takers().delete(take);
  take();
}

/** Takes the next offer once; the returned function withdraws. */
export function awaitOffer(take: Take): () => void {
  takers().add(take);
  return () => void takers().delete(take);
}

export type Waiter = { next(timeoutMs: number): Promise<void>; stop(): void };

/**
 * Listens on a topic at once, so that no change is missed between reading a state and waiting. `next` resolves at the
 * next wake-up since its last call, or after the time-out. Wake-ups with the hint `ignored` do not count.
 */
export function listen(topic: WakeTopic, signal?: AbortSignal, ignored?: WakeHint): Waiter {
  let woken = false;
  let release: (() => void) | null = null;
  const notify = () => {
    woken = true;
    release?.();
  };
  const onTopic = (hint?: WakeHint) => {
    if (hint === undefined || hint !== ignored) notify();
  };
  bus().on(topic, onTopic);
  signal?.addEventListener("abort", notify);
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
      bus().off(topic, onTopic);
      signal?.removeEventListener("abort", notify);
      release?.();
    },
  };
}
