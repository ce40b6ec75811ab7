import { setTimeout as delay } from "node:timers/promises";

/** Looks every 10 ms until `look` returns something (not null, undefined or false); throws after 10 s, naming `what`. */
export async function waitUntil<T>(what: string, look: () => T | null | undefined | false): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Waited 10 s in vain for: ${what}`);
    await delay(10);
  }
}
