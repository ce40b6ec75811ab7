import type { PreforkedLauncher } from "./preforked-launcher";
import type { Pack, PrewarmedProcess } from "./prewarmed-process";

const MIB = 1024 ** 2;
/** Estimated memory of a process before it is measured. */
const ESTIMATE = { program: 4 * MIB, python: 16 * MIB, node: 64 * MIB };

/** `uid`: its own user id; `launcher`: the preforked launcher whose id it has instead. */
export type PooledProcess = { process: PrewarmedProcess; uid: number | null; launcher: PreforkedLauncher | null };

export type PoolBucket = {
  pack: Pack;
  skillDir: string;
  waiting: PooledProcess[];
  starting: number;
  demand: Demand;
  usedMs: number;
  /** Memory of one process, the kernel's share (PSS); all of a pack use the same. Null until it is measured. */
  bytes: number | null;
  kind: PrewarmedProcess["kind"] | null;
};

export function countOf({ waiting, starting }: PoolBucket): number {
  return waiting.length + starting;
}

export function bytesOf({ bytes, kind }: PoolBucket): number {
  return bytes ?? ESTIMATE[kind ?? "program"];
}

const SECOND_MS = 1000;
const SPARE_PER_SLOT = 8;

/** How many processes of a pack should wait, derived from its recent runs. */
type Demand = {
  begin(): void;
  end(): void;
  isRunning(): boolean;
  /** One more than ran at once, at most one for each slot, so that the next run finds one. */
  base(): number;
  /** As many as ran within one second, at most eight for each slot, and never less than the base. */
  wanted(): number;
  /** Ends a period. Demand is the larger of the current period's and the last one's. */
  age(): void;
};

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

/**
 * Evicts processes from buckets while `isFull` returns true, and returns them: first those beyond a bucket's base, then the
 * bases, the least recently used bucket first. For a bucket that needs space (`wanting`), it evicts nothing of that bucket
 * and no base of a bucket that was used later; other bases only if `lacksBase`.
 */
export function evictFromBuckets(
  buckets: Iterable<PoolBucket>,
  isFull: () => boolean,
  wanting: { bucket: PoolBucket; lacksBase: boolean } | null = null,
): PooledProcess[] {
  const byUse = [...buckets].sort((a, b) => a.usedMs - b.usedMs);
  const older = wanting ? byUse.slice(0, byUse.indexOf(wanting.bucket)) : byUse;
  const others = byUse.filter((bucket) => bucket !== wanting?.bucket);
  const taken: PooledProcess[] = [];
  const take = ({ waiting }: PoolBucket, left: number) => {
    while (isFull() && waiting.length > left) taken.push(...waiting.splice(0, 1));
  };
  const lacksBase = wanting?.lacksBase ?? true;
  for (const bucket of lacksBase ? others : older) take(bucket, bucket.demand.base());
  if (lacksBase) for (const bucket of older) take(bucket, 0);
  return taken;
}
