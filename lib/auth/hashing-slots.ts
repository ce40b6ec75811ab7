import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";

const MAX_ACTIVE = 2;
const MAX_WAITING = 20;

/**
 * Runs `work` when one of the two hashing slots of this process is free. Each hash takes 19 MiB and a core, so a flood
 * of sign-ins waits in a queue of 20, and what comes beyond that is `rate_limited`.
 */
export async function inHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  const slots = processStore("hashing-slots", () => ({ active: 0, waiting: [] as (() => void)[] }));
  if (slots.active >= MAX_ACTIVE) {
    if (slots.waiting.length >= MAX_WAITING) {
      throw new AppError("rate_limited", "Too many sign-ins at the same moment; try again.", { retryAfterSeconds: 1 });
    }
    // Whoever finishes hands its slot over, so `active` stays as it is.
    await new Promise<void>((resolve) => slots.waiting.push(resolve));
  } else {
    slots.active += 1;
  }
  try {
    return await work();
  } finally {
    const next = slots.waiting.shift();
    if (next) next();
    else slots.active -= 1;
  }
}
