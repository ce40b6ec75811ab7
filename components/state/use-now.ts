"use client";

import { useSyncExternalStore } from "react";

const tickMs = 10_000;

let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, tickMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function snapshot(): number {
  // Before the first subscription `now` may be out of date.
  if (listeners.size === 0) now = Math.max(now, Math.floor(Date.now() / tickMs) * tickMs);
  return now;
}

/** The time in ms, updated every ten seconds by one timer for the page; null on the server. */
export function useNow(): number | null {
  return useSyncExternalStore<number | null>(subscribe, snapshot, () => null);
}
