import { setTimeout as delay } from "node:timers/promises";

/** Calls `look` every 10 ms until it returns a value (not null, undefined or false); throws after `maxMs`, naming `what`. */
export async function waitUntil<T>(what: string, look: () => T | null | undefined | false, maxMs = 10_000): Promise<T> {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${maxMs / 1000} s in vain for: ${what}`);
    await delay(10);
  }
}
