import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(4096);
let taken = pool.length;

/**
 * Random bytes for identifiers, at most 4096 at a time; asking the system for each few of them costs more than all the rest
 * of making one. Each byte is given out once. Not for secrets: what was given out stays in memory for a while.
 */
export function takeRandom(count: number): Buffer {
  if (taken + count > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += count;
  return Buffer.from(pool.subarray(taken - count, taken));
}
