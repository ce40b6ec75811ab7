import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";

/** Programs that work for clients at the same time, and requests that may wait for one to end. */
const MAX_RUNNING = 6;
const MAX_WAITING = 200;
const RETRY_SECONDS = 5;

type Slots = { running: number; waiting: (() => void)[] };

/** Waits for its turn to start git; answers how to give it back, which must be called once. `unavailable` when too many wait. */
export async function takeSlot(): Promise<() => void> {
  const slots = processStore("git-slots", (): Slots => ({ running: 0, waiting: [] }));
  if (slots.running >= MAX_RUNNING) {
    if (slots.waiting.length >= MAX_WAITING) {
      throw new AppError("unavailable", "Too many clients ask the git address at the same time. Try again shortly.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    await new Promise<void>((resolve) => slots.waiting.push(resolve));
  } else {
    slots.running += 1;
  }
  let isBack = false;
  return () => {
    if (isBack) return;
    isBack = true;
    // Whoever waits takes the slot over.
    const next = slots.waiting.shift();
    if (next) next();
    else slots.running -= 1;
  };
}
