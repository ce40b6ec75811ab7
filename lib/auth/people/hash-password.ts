import { hash, verify } from "@node-rs/argon2";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";

const MAX_ACTIVE = 2;

const MAX_WAITING = 20;

const MAX_BYTES = 256;
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of a random value nobody knows, at the same cost: stands in where there is no password to compare with. */
const DUMMY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$sSAyJ3vO09Oi82pp/jkCjg$A7Hx8J/cOw413BYgcgtGyS/hBAC4fRm6exaN+pyhoJ0";

/** The password as an argon2id PHC string. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_BYTES) {
    throw new AppError("invalid", `The password has more than ${MAX_BYTES} bytes, the limit.`);
  }
  return inHashingSlot(() => hash(password, COST));
}

/** Whether the password fits; without a stored hash the answer is no, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isTooLong = Buffer.byteLength(password) > MAX_BYTES;
  const fits = await inHashingSlot(() => verify(stored ?? DUMMY_HASH, isTooLong ? "" : password));
  return fits && stored !== null && !isTooLong;
}

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
