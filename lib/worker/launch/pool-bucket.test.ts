import { describe, expect, it } from "vitest";
import { createDemand, evictFromBuckets, type PoolBucket, type PooledProcess } from "./pool-bucket";

const SLOTS = 4;
const MOST = 8 * SLOTS;

function startDemand() {
  let ms = 0;
  const demand = createDemand(SLOTS, () => ms);
  const run = (count: number, apartMs = 0) => {
    for (let index = 0; index < count; index += 1) {
      demand.begin();
      demand.end();
      ms += apartMs;
    }
  };
  return { demand, run, wants: () => [demand.base(), demand.wanted()] };
}

describe("the demand for a pack", () => {
  it("is one process at first, and one more than runs at once, at most one for each slot", () => {
    const { demand, wants } = startDemand();
    expect(wants()).toEqual([1, 1]);
    for (const base of [2, 3, 4, 4]) {
      demand.begin();
      expect(wants()).toEqual([base, base]);
    }
  });

  it("is as many as were run within a second, at most eight for each slot", () => {
    const { run, wants } = startDemand();
    run(20, 50);
    expect(wants()).toEqual([2, 20]);
    run(60, 10);
    expect(wants()).toEqual([2, MOST]);
  });

  it("counts none that were run a second apart", () => {
    const { run, wants } = startDemand();
    run(20, 1000);
    expect(wants()).toEqual([2, 2]);
    run(20, 500);
    expect(wants()).toEqual([2, 2]);
    run(20, 300);
    expect(wants()).toEqual([2, 4]);
  });

  it("is forgotten after two calm whiles, and not what still runs", () => {
    const { demand, run, wants } = startDemand();
    demand.begin();
    demand.begin();
    run(10);
    demand.age();
    expect(wants()).toEqual([4, 12]);
    demand.age();
    expect(wants()).toEqual([3, 3]);
    demand.end();
    demand.end();
    expect(demand.isRunning()).toBe(false);
    demand.age();
    demand.age();
    expect(wants()).toEqual([1, 1]);
  });

  it("does not fall below nothing when an end is told twice", () => {
    const { demand, wants } = startDemand();
    demand.end();
    demand.end();
    demand.begin();
    expect(demand.isRunning()).toBe(true);
    expect(wants()).toEqual([2, 2]);
  });
});

/** Returns buckets with these numbers of processes, including the base; the first bucket was used longest ago. */
function fill(...counts: number[]): PoolBucket[] {
  return counts.map((count, index) => {
    const demand = { base: () => 1 } as PoolBucket["demand"];
    return { waiting: Array.from({ length: count }, () => ({}) as PooledProcess), usedMs: index, demand } as PoolBucket;
  });
}

const countsOf = (buckets: PoolBucket[]) => buckets.map(({ waiting }) => waiting.length);
const moreThan = (count: number, buckets: PoolBucket[]) => () =>
  countsOf(buckets).reduce((sum, each) => sum + each, 0) > count;

describe("taking from buckets", () => {
  it("takes nothing that need not be taken", () => {
    const buckets = fill(2, 3);
    expect(evictFromBuckets(buckets, moreThan(5, buckets))).toEqual([]);
    expect(countsOf(buckets)).toEqual([2, 3]);
  });

  it.each([
    [6, [3, 1, 2]],
    [5, [2, 1, 2]],
    [4, [1, 1, 2]],
    [3, [1, 1, 1]],
    [2, [0, 1, 1]],
    [0, [0, 0, 0]],
  ])("leaves %i: first what is beyond the base, and of those the one used longest ago", (left, counts) => {
    const buckets = fill(4, 1, 2);
    const taken = evictFromBuckets(buckets.toReversed(), moreThan(left, buckets));
    expect(countsOf(buckets)).toEqual(counts);
    expect(taken).toHaveLength(7 - left);
  });

  it("lets a bucket that lacks its base have what all others have beyond theirs, and the base of older ones", () => {
    const buckets = fill(3, 0, 3);
    const [, bucket] = buckets;
    if (bucket === undefined) throw new Error("there are three");
    evictFromBuckets(buckets, () => true, { bucket, lacksBase: true });
    expect(countsOf(buckets)).toEqual([0, 0, 1]);
  });

  it("lets a bucket that lacks no more than its burst have what older ones have beyond their base", () => {
    const buckets = fill(3, 3, 3);
    const [, bucket] = buckets;
    if (bucket === undefined) throw new Error("there are three");
    evictFromBuckets(buckets, () => true, { bucket, lacksBase: false });
    expect(countsOf(buckets)).toEqual([1, 3, 3]);
  });
});
