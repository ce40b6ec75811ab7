export type ByteRing = { push(chunk: Uint8Array): void; bytes(): Buffer; total(): number };

/** Keeps the last `capacity` bytes of a stream and counts all of them. */
export function createByteRing(capacity: number): ByteRing {
  let buffer: Buffer | null = null;
  let total = 0;

  function push(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
    const start = (total + chunk.length - kept.length) % capacity;
    buffer ??= Buffer.allocUnsafe(capacity);
    const untilEnd = Math.min(kept.length, capacity - start);
    buffer.set(kept.subarray(0, untilEnd), start);
    buffer.set(kept.subarray(untilEnd), 0);
    total += chunk.length;
  }

  function bytes(): Buffer {
    if (buffer === null) return Buffer.alloc(0);
    if (total <= capacity) return Buffer.from(buffer.subarray(0, total));
    const start = total % capacity;
    return Buffer.concat([buffer.subarray(start), buffer.subarray(0, start)]);
  }

  return { push, bytes, total: () => total };
}
