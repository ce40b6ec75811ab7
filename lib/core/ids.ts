import { randomFillSync } from "node:crypto";

let lastMs = 0;
let counter = 0;

/**
 * Returns a UUIDv7 (RFC 9562, section 5.7), which sorts by creation time, also within a millisecond of one process
 * (12-bit counter, method 1 of section 6.2).
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = takeRandom(2).readUInt16BE(0) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const bytes = takeRandom(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const pool = Buffer.alloc(4096);
let taken = pool.length;

/**
 * Random bytes for identifiers, at most 4096 per call, from a pool, since system calls would dominate the cost. Not for
 * secrets: the bytes stay in memory.
 */
export function takeRandom(count: number): Buffer {
  if (taken + count > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += count;
  return Buffer.from(pool.subarray(taken - count, taken));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an id. Skill names of this shape are refused, so `{id}` stays unambiguous. */
export function isIdShaped(text: string): boolean {
  return UUID.test(text);
}
