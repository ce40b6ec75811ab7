export type StdoutCollector = { write(chunk: Buffer): void; bytes(): Buffer; isOverLimit(): boolean };

/** Keeps stdout up to `maxBytes` and calls `onOverLimit` once at the first byte beyond; the rest is not kept. */
export function collectStdout(maxBytes: number, onOverLimit: () => void): StdoutCollector {
  const chunks: Buffer[] = [];
  let total = 0;
  return {
    write(chunk) {
      if (total > maxBytes) return;
      chunks.push(chunk.subarray(0, maxBytes - total));
      total += chunk.length;
      if (total > maxBytes) onOverLimit();
    },
    bytes: () => Buffer.concat(chunks),
    isOverLimit: () => total > maxBytes,
  };
}
