/** Hands out user ids so that no two runs of a moment share one; null when all are out or runs keep the worker's own. */
export type UidPool = { take(): number | null; giveBack(uid: number): void };

export function createUidPool(range: { first: number; count: number } | null): UidPool {
  const free = range ? Array.from({ length: range.count }, (_, index) => range.first + index) : [];
  return {
    take: () => free.shift() ?? null,
    giveBack(uid) {
      free.push(uid);
    },
  };
}
