/** Runs are short when so many in a row took less than this. */
const SHORT_MS = 100;

const IN_A_ROW = 8;

/** Leases beyond the slots that cover the time which the server takes to hear of an end and to hand over the next. */
const PREFETCH_LIMIT = 3;

/** What the last run counts for in what runs are expected to take. */
const WEIGHT = 0.2;

/** How long a lease waits for a slot before it is given back. */
const MAX_WAIT_MS = 250;

export type SlotHold = { end(tookMs: number): void };

export type SlotQueue = {
  /** A slot to execute in; null when none was free in time, or the signal was aborted before one was. */
  acquire(signal: AbortSignal): Promise<SlotHold | null>;
  /** How many leases may be held beyond the slots: three while runs are short, else none. */
  prefetchLimit(): number;
  /** Whether another run is likely to end within this time, while leases wait for its slot: news of an end can wait for it. */
  expectsEndWithin(withinMs: number): boolean;
};

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

/**
 * Hands out slots in the order they are asked for. While runs are short a worker holds three leases more than it has slots,
 * and starts them when a slot is free, which is sooner than the server could be asked for one.
 */
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
