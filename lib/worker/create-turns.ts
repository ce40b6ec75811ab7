/** Runs are short when so many in a row took less than this. */
const SHORT_MS = 100;
const IN_A_ROW = 8;
/** Leases beyond the slots that cover the time which the server takes to hear of an end and to hand over the next. */
const AHEAD = 3;
/** What the last run counts for in what runs are expected to take. */
const WEIGHT = 0.2;
/** How long a lease waits for a slot before it is given back. */
const PATIENCE_MS = 250;

export type Turn = { end(tookMs: number): void };
export type Turns = {
  /** A slot to execute in; null when none was free in time, or the signal was aborted before one was. */
  take(signal: AbortSignal): Promise<Turn | null>;
  /** How many leases may be held beyond the slots: three while runs are short, else none. */
  ahead(): number;
  /** Whether another run is likely to end within this time, while leases wait for its slot: news of an end can wait for it. */
  isEndDue(withinMs: number): boolean;
};

/**
 * Hands out slots in the order they are asked for. While runs are short a worker holds three leases more than it has slots,
 * and starts them when a slot is free, which is sooner than the server could be asked for one.
 */
export function createTurns(total: number): Turns {
  let taken = 0;
  let shortInARow = 0;
  let usualMs = SHORT_MS;
  const waiting = new Set<() => void>();

  function begin(): Turn {
    taken += 1;
    return {
      end(tookMs) {
        taken -= 1;
        usualMs += (tookMs - usualMs) * WEIGHT;
        shortInARow = tookMs < SHORT_MS ? shortInARow + 1 : 0;
        const [next] = waiting;
        next?.();
      },
    };
  }

  function wait(signal: AbortSignal): Promise<Turn | null> {
    return new Promise((resolve) => {
      const settle = (turn: Turn | null) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        waiting.delete(next);
        resolve(turn);
      };
      const next = () => settle(begin());
      const giveUp = () => settle(null);
      const timer = setTimeout(() => {
        shortInARow = 0;
        giveUp();
      }, PATIENCE_MS);
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.add(next);
    });
  }

  return {
    async take(signal) {
      if (taken < total && waiting.size === 0) return begin();
      return signal.aborted ? null : wait(signal);
    },
    isEndDue: (withinMs) => waiting.size > 0 && usualMs / total < withinMs,
    ahead: () => (shortInARow >= IN_A_ROW ? AHEAD : 0),
  };
}
