export type Slots = {
  /** Takes every free slot for a request that is about to be sent, and says how many that are. */
  reserve(): number;
  /** Gives a reservation back once the request is answered; the leases it brought are taken with `take` before. */
  release(reserved: number): void;
  take(): void;
  free(): void;
};

/**
 * Counts slots, so that two requests under way at once never ask for the same one. `onFree` hears of slots to ask for.
 * `ahead` says how many leases more than that may be held.
 */
export function createSlots(total: number, onFree: () => void, ahead: () => number = () => 0): Slots {
  let running = 0;
  let reserved = 0;
  const available = () => Math.max(0, total + ahead() - running - reserved);
  const tell = () => {
    if (available() > 0) onFree();
  };
  return {
    reserve() {
      const count = available();
      reserved += count;
      return count;
    },
    release(count) {
      reserved -= count;
      tell();
    },
    take() {
      running += 1;
    },
    free() {
      running -= 1;
      tell();
    },
  };
}
