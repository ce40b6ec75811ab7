import { measureMemory } from "../processes/process-use";
import type { UidPool } from "../processes/user-ids";
import { filesOf } from "../sandbox/open-store";
import { bytesOf, countOf, createDemand, evictFromBuckets, type PoolBucket, type PooledProcess } from "./pool-bucket";
import type { PreforkedPool } from "./preforked-pool";
import { identify, type Pack, type PrewarmedProcess, type PrewarmHost, prewarm } from "./prewarmed-process";

const ASK_MS = 1000;
const MAX_ASKED = 256;
/** Enough for a burst of one pack besides the waiting processes of others. */
const PER_SLOT = 10;
const MAX_PROCESSES = 64;
const MIB = 1024 ** 2;
const TICK_MS = 30_000;
/** A pack that did not run for this long has no waiting processes. */
const IDLE_MS = 5 * 60_000;
/** A pack whose process did not reach the barrier is not prewarmed for this long. */
const PAUSE_MS = 5 * 60_000;
/** Starting a process blocks this one for longer than many programs run; an interpreter needs the time to load. */
const SHORT_RUN_MS = 10;
/** Spare processes are started only if no run began or ended for this long. */
const QUIET_MS = 50;

export type PrewarmedPool = {
  /** A waiting process for a run of this pack, and what to release after it; null when there is none. */
  acquire(pack: Pack, skillDir: string): Pick<PooledProcess, "process" | "uid" | "launcher"> | null;
  begin(pack: Pack): void;
  /** Call it when a run of the pack is over; from then on the next process is prewarmed. */
  end(pack: Pack, skillDir: string): void;
  /** The ids of the packs to check with the server, once a second; null when it was asked just now. */
  packsToCheck(): string[] | null;
  /** Applies the server's answer: how much memory may be used, and which of the checked packs are still approved. */
  applyServerState(answer: { memoryMiB: number; current: string[] }, asked: string[]): void;
  dropAll(): void;
  close(): void;
  tidy(): void;
  processes(): PrewarmedProcess[];
};

type Options = Omit<PrewarmHost, "uid" | "launcher" | "skillDir"> & {
  uids: UidPool;
  preforked?: PreforkedPool | null;
  slotCount: number;
  /** Every slot is executing: prewarming now would take processor time from runs. */
  isBusy: () => boolean;
  now?: () => number;
  measure?: (pid: number) => number;
};

/**
 * Keeps processes waiting for the packs that ran last, each for one run, within the memory limit from the server (0 until
 * it has answered). When one was taken and a slot is free, it starts as many as ran at once and one more, as many at a time
 * as there are slots. As many as ran within a second are started in the next pause, with a slot to spare: with only one
 * more, 200 runs of `node` without a pause took 0.82 to 0.87 of a direct start's time instead of 0.74 (docs/figures.md).
 * Evicts the processes of the least recently used pack.
 */
export function createPrewarmedPool(options: Options): PrewarmedPool {
  const { uids, preforked = null, slotCount, isBusy, now = () => performance.now(), measure = measureMemory } = options;
  const maxProcesses = Math.min(slotCount * PER_SLOT, MAX_PROCESSES);
  const buckets = new Map<string, PoolBucket>();
  const pausedUntil = new Map<string, number>();
  let askedMs = Number.NEGATIVE_INFINITY;
  let memoryBytes = 0;
  let starting = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isQuiet = false;
  const quiet = setTimeout(() => {
    isQuiet = true;
    replenish();
  }, QUIET_MS).unref();

  const byUse = () => [...buckets.values()].sort((a, b) => a.usedMs - b.usedMs);
  const sum = (of: (bucket: PoolBucket) => number) =>
    [...buckets.values()].reduce((total, bucket) => total + of(bucket), 0);
  const totalBytes = () => sum((bucket) => countOf(bucket) * bytesOf(bucket));
  const isPaused = ({ pack }: PoolBucket) => (pausedUntil.get(pack.key) ?? 0) > now();

  function discard({ process, uid, launcher }: PooledProcess): void {
    // Its user id stays taken while any of its processes lives.
    void process.end().then(() => {
      if (launcher) preforked?.release(launcher);
      if (uid !== null) uids.release(uid);
    });
  }

  function drop(bucket: PoolBucket): void {
    buckets.delete(bucket.pack.key);
    for (const held of bucket.waiting.splice(0)) discard(held);
  }

  function removeDead(bucket: PoolBucket): void {
    for (const held of bucket.waiting.filter(({ process }) => !process.isAlive())) {
      bucket.waiting.splice(bucket.waiting.indexOf(held), 1);
      discard(held);
    }
  }

  function dropOutdated(pack: Pack): void {
    for (const bucket of buckets.values()) if (bucket.pack.id === pack.id && bucket.pack.key !== pack.key) drop(bucket);
  }

  function discardWhile(isFull: () => boolean, wanting?: { bucket: PoolBucket; lacksBase: boolean }): void {
    for (const held of evictFromBuckets(buckets.values(), isFull, wanting)) discard(held);
  }

  function evictFor(bucket: PoolBucket, lacksBase: boolean): boolean {
    const isFull = () => totalBytes() + bytesOf(bucket) > memoryBytes || sum(countOf) >= maxProcesses;
    discardWhile(isFull, { bucket, lacksBase });
    return !isFull() && uids.left() > slotCount;
  }

  function replenish(): void {
    if (starting >= slotCount || isClosed || memoryBytes === 0 || isBusy()) return;
    const lacking = byUse()
      .reverse()
      .filter((bucket) => !isPaused(bucket));
    const base = lacking.find((bucket) => countOf(bucket) < bucket.demand.base());
    // One slot stays free for the next run.
    const mayMakeMore = isQuiet && starting < Math.max(1, slotCount - 1);
    const next = base ?? (mayMakeMore ? lacking.find((bucket) => countOf(bucket) < bucket.demand.wanted()) : undefined);
    if (next === undefined || !evictFor(next, next === base)) return;
    starting += 1;
    next.starting += 1;
    void start(next)
      .catch(() => void pausedUntil.set(next.pack.key, now() + PAUSE_MS))
      .finally(() => {
        starting -= 1;
        setImmediate(replenish);
      });
    setImmediate(replenish);
  }

  function markActive(): void {
    isQuiet = false;
    quiet.refresh();
  }

  async function start(bucket: PoolBucket): Promise<void> {
    const launcher = preforked?.acquire() ?? null;
    const ownUid = launcher ? null : uids.acquire();
    const host = { ...options, uid: launcher?.uid ?? ownUid, launcher, skillDir: bucket.skillDir };
    let process: PrewarmedProcess;
    try {
      process = await prewarm(bucket.pack, host).finally(() => {
        bucket.starting -= 1;
      });
    } catch (failure) {
      if (launcher) preforked?.release(launcher);
      if (ownUid !== null) uids.release(ownUid);
      throw failure;
    }
    const held: PooledProcess = { process, uid: ownUid, launcher };
    if (buckets.get(bucket.pack.key) !== bucket) return discard(held);
    bucket.kind = process.kind;
    bucket.waiting.push(held);
    await process.ready;
    if (!bucket.waiting.includes(held)) return;
    if (!process.isAlive()) throw new Error("it ended before it waited");
    bucket.bytes ??= measure(process.pid);
    bound();
  }

  const bound = () => discardWhile(() => totalBytes() > memoryBytes);

  function tidy(): void {
    for (const bucket of buckets.values()) {
      if (!bucket.demand.isRunning() && now() - bucket.usedMs > IDLE_MS) {
        drop(bucket);
        continue;
      }
      removeDead(bucket);
      if (bucket.waiting[0]) bucket.bytes = measure(bucket.waiting[0].process.pid);
      bucket.demand.age();
      for (const held of bucket.waiting.splice(bucket.demand.wanted())) discard(held);
    }
    for (const [key, untilMs] of pausedUntil) if (untilMs <= now()) pausedUntil.delete(key);
    bound();
  }

  function dropAll(): void {
    for (const bucket of buckets.values()) drop(bucket);
  }

  return {
    acquire(pack, skillDir) {
      dropOutdated(pack);
      const bucket = buckets.get(pack.key);
      if (bucket === undefined) return null;
      removeDead(bucket);
      if (
        bucket.waiting[0]?.process.directory !== undefined &&
        bucket.waiting[0].process.directory !== identify(filesOf(options.isolation, skillDir))
      ) {
        drop(bucket);
        return null;
      }
      return bucket.waiting.shift() ?? null;
    },
    begin(pack) {
      const bucket = buckets.get(pack.key);
      if (bucket === undefined) return;
      markActive();
      bucket.demand.begin();
      bucket.usedMs = now();
      setTimeout(replenish, bucket.kind === "program" ? SHORT_RUN_MS : 0).unref();
    },
    end(pack, skillDir) {
      if (isClosed || memoryBytes === 0) return;
      timer ??= setInterval(tidy, TICK_MS).unref();
      markActive();
      const usedMs = now();
      const bucket = buckets.get(pack.key);
      if (bucket) {
        bucket.demand.end();
        bucket.usedMs = usedMs;
      } else {
        const demand = createDemand(slotCount, now);
        buckets.set(pack.key, { pack, skillDir, waiting: [], starting: 0, demand, usedMs, bytes: null, kind: null });
      }
      // After the run's outcome has been sent and its slot is free.
      setImmediate(() => setImmediate(replenish));
    },
    packsToCheck() {
      if (isClosed || now() - askedMs < ASK_MS) return null;
      askedMs = now();
      const packs = byUse()
        .reverse()
        .map(({ pack }) => pack.id);
      return [...new Set(packs)].slice(0, MAX_ASKED);
    },
    applyServerState({ memoryMiB, current }, asked) {
      memoryBytes = memoryMiB * MIB;
      const gone = asked.filter((id) => !current.includes(id));
      for (const bucket of buckets.values()) if (memoryBytes === 0 || gone.includes(bucket.pack.id)) drop(bucket);
      bound();
    },
    dropAll,
    close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(quiet);
      dropAll();
    },
    tidy,
    processes: () => [...buckets.values()].flatMap(({ waiting }) => waiting.map(({ process }) => process)),
  };
}
