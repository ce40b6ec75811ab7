const firstMs = 500;
const longestMs = 30_000;
const healthyAfterMs = 60_000;

/** Delay before the next start: doubles after each short run, resets after a long one. */
export function createBackOff() {
  let nextMs = firstMs;
  return function delayAfter(livedMs) {
    if (livedMs >= healthyAfterMs) nextMs = firstMs;
    const delayMs = nextMs;
    nextMs = Math.min(nextMs * 2, longestMs);
    return delayMs;
  };
}
