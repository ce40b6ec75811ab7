import { LRUCache } from "lru-cache";
import { processStore } from "@/lib/core/process-store";

const MAX_KEYS = 1_000;

type Window = { since: number; held: number };

/**
 * How many of a kind to write now: 1 for a first one, 0 while they are held back, all that were held with the next one after
 * the window. What is still held when the process ends is lost.
 */
export function countHeld(key: string, now: Date, windowMs: number): number {
  const windows = processStore("held-events", () => new LRUCache<string, Window>({ max: MAX_KEYS }));
  const open = windows.get(key);
  const age = open ? now.getTime() - open.since : 0;
  // A window that begins later than now was opened by a clock that has been set back since.
  if (open && age >= 0 && age < windowMs) {
    open.held += 1;
    return 0;
  }
  windows.set(key, { since: now.getTime(), held: 0 });
  return 1 + (open?.held ?? 0);
}
