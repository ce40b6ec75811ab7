const SECOND_MS = 1000;
const SPARE_PER_SLOT = 8;

/** How many processes of a pack should wait, by how it was run of late. */
export type Demand = {
  begin(): void;
  end(): void;
  isRunning(): boolean;
  /** One more than ran at once, at most one for each slot: whoever comes back at once finds one. */
  base(): number;
  /** As many as were run within a second, at most eight for each slot, and never less than the base. */
  wanted(): number;
  /** What was up to now is of late no more once this has been called again. */
  age(): void;
};

/** The demand for a pack that has just run for the first time. `now` is in milliseconds. */
export function createDemand(slotCount: number, now: () => number): Demand {
  const baseFor = (atOnce: number) => Math.min(slotCount, atOnce + 1);
  let running = 0;
  let begunMs: number[] = [];
  let most = { atOnce: 0, inSecond: 0 };
  let before = { atOnce: 0, inSecond: 0 };
  const base = () => baseFor(Math.max(most.atOnce, before.atOnce));
  return {
    begin() {
      running += 1;
      const at = now();
      begunMs = [...begunMs.filter((ms) => at - ms < SECOND_MS), at].slice(-slotCount * SPARE_PER_SLOT);
      most = { atOnce: Math.max(most.atOnce, running), inSecond: Math.max(most.inSecond, begunMs.length) };
    },
    end() {
      running = Math.max(0, running - 1);
    },
    isRunning: () => running > 0,
    base,
    wanted: () => Math.max(base(), most.inSecond, before.inSecond),
    age() {
      before = most;
      most = { atOnce: running, inSecond: 0 };
    },
  };
}
