import type { PreforkedLauncher } from "./preforked-launcher";
import type { Pack, PrewarmedProcess } from "./prewarmed-process";

const MIB = 1024 ** 2;
/** What a process is taken to hold until it is measured. */
const ESTIMATE = { program: 4 * MIB, python: 16 * MIB, node: 64 * MIB };

/** With the user id that it has of its own, or the preforked launcher whose it has. */
export type PooledProcess = { process: PrewarmedProcess; uid: number | null; launcher: PreforkedLauncher | null };

/** What waits for the runs of one pack, measured once: by the kernel's share (PSS) for each process, as all of a pack hold the same. */
export type PoolBucket = {
  pack: Pack;
  skillDir: string;
  waiting: PooledProcess[];
  /** Processes on their way to waiting. */
  starting: number;
  demand: Demand;
  /** When a run of it last began or ended. */
  usedMs: number;
  /** What one process holds, which has run nothing of the skill, so that all hold the same; null until it is measured. */
  bytes: number | null;
  kind: PrewarmedProcess["kind"] | null;
};

/** How many wait, or are on their way to it. */
export function countOf({ waiting, starting }: PoolBucket): number {
  return waiting.length + starting;
}

/** What each of its processes holds, in bytes. */
export function bytesOf({ bytes, kind }: PoolBucket): number {
  return bytes ?? ESTIMATE[kind ?? "program"];
}

const SECOND_MS = 1000;
const SPARE_PER_SLOT = 8;

/** How many processes of a pack should wait, by how it was run of late. */
type Demand = {
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

/**
 * Takes processes from buckets, while `isFull` says so, and answers with them: what is beyond a bucket's base first, and what
 * was used longest ago before what was used later. For a bucket that wants room, nothing of its own and nothing of the base of one
 * that was used later; and no other's base, unless its own base is what it lacks.
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
