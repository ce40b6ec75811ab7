import { RunFailure } from "../launch/run-failure";

/**
 * Hands out user ids so that no two processes of a moment share one; null when runs keep the worker's own. Throws
 * RunFailure `spawn_failed` when all are out.
 */
export type UidPool = { take(): number | null; giveBack(uid: number): void; left(): number };

export function createUidPool(range: { first: number; count: number } | null): UidPool {
  const free = range ? Array.from({ length: range.count }, (_, index) => range.first + index) : [];
  return {
    take() {
      if (range === null) return null;
      const uid = free.shift();
      if (uid === undefined)
        throw new RunFailure("spawn_failed", "All user ids that this worker has for runs are taken.");
      return uid;
    },
    left: () => (range === null ? Number.POSITIVE_INFINITY : free.length),
    giveBack(uid) {
      free.push(uid);
    },
  };
}
