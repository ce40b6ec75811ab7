import { describe, expect, it } from "vitest";
import { evictFromBuckets, type PoolBucket, type PooledProcess } from "./pool-bucket";

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
