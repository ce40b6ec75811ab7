const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the next attempt: doubles from 0.2 s to 10 s, each time a random part between half and the
 * whole, so that many workers do not come back at the same moment.
 */
export function createBackOff(random: () => number = Math.random): { nextMs(): number; reset(): void } {
  let ceilingMs = FIRST_MS;
  return {
    nextMs() {
      const delayMs = ceilingMs * (0.5 + random() / 2);
      ceilingMs = Math.min(ceilingMs * 2, LONGEST_MS);
      return delayMs;
    },
    reset() {
      ceilingMs = FIRST_MS;
    },
  };
}
