/** Runs are short when this many in a row took less than `SHORT_MS`. */
const SHORT_MS = 100;

const IN_A_ROW = 8;

/** Leases beyond the slots, which cover the time for reporting an end and getting the next lease. */
const PREFETCH_LIMIT = 3;

const WEIGHT = 0.2;

const MAX_WAIT_MS = 250;

export type SlotHold = { end(tookMs: number): void };

export type SlotQueue = {
  /** A slot to execute in; null when none was free in time, or the signal was aborted first. */
  acquire(signal: AbortSignal): Promise<SlotHold | null>;
  /** Number of leases that may be held beyond the slots: three while runs are short, else none. */
  prefetchLimit(): number;
  /**
   * Whether a run will probably end within this time while leases wait for its slot. If so, the report of an end can be delayed
   * until then.
   */
  expectsEndWithin(withinMs: number): boolean;
};

export type Slots = {
  /** Takes every free slot for a request about to be sent, and returns their number. */
  reserve(): number;
  /** Returns a reservation when the request is answered; first call `take` for each lease of the answer. */
  release(reserved: number): void;
  take(): void;
  free(): void;
};

/** Counts slots, so that concurrent requests never ask for the same one. `onFree` is called when there are slots to ask for. */
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

/** Assigns slots in the order of requests. While runs are short, it prefetches leases, to start them without waiting. */
export function createSlotQueue(total: number): SlotQueue {
  let taken = 0;
  let shortInARow = 0;
  let averageMs = SHORT_MS;
  const waiting = new Set<() => void>();

  function begin(): SlotHold {
    taken += 1;
    return {
      end(tookMs) {
        taken -= 1;
        averageMs += (tookMs - averageMs) * WEIGHT;
        shortInARow = tookMs < SHORT_MS ? shortInARow + 1 : 0;
        const [next] = waiting;
        next?.();
      },
    };
  }

  function wait(signal: AbortSignal): Promise<SlotHold | null> {
    return new Promise((resolve) => {
      const settle = (turn: SlotHold | null) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
        waiting.delete(next);
        resolve(turn);
      };
      const next = () => settle(begin());
      const abandon = () => settle(null);
      const timer = setTimeout(() => {
        shortInARow = 0;
        abandon();
      }, MAX_WAIT_MS);
      signal.addEventListener("abort", abandon, { once: true });
      waiting.add(next);
    });
  }

  return {
    async acquire(signal) {
      if (taken < total && waiting.size === 0) return begin();
      return signal.aborted ? null : wait(signal);
    },
    expectsEndWithin: (withinMs) => waiting.size > 0 && averageMs / total < withinMs,
    prefetchLimit: () => (shortInARow >= IN_A_ROW ? PREFETCH_LIMIT : 0),
  };
}
