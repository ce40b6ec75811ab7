import { measureMemory } from "@/lib/worker/processes/process-use";
import type { UidPool } from "../processes/user-ids";
import { filesOf } from "../sandbox/open-store";
import { bytesOf, countOf, createDemand, type Held, type Shelf, takeFromShelves } from "./pool-bucket";
import type { Starters } from "./preforked-pool";
import type { Pack } from "./prewarmed-process";
import { identify, startWaiting, type Waiting, type WaitingHost } from "./prewarmed-process";

const ASK_MS = 1000;
const MAX_ASKED = 256;
/** Room for a burst of one pack beside what other packs have waiting. */
const PER_SLOT = 10;
const MAX_PROCESSES = 64;
const MIB = 1024 ** 2;
const TICK_MS = 30_000;
/** A pack that nobody ran for so long has no process waiting. */
const IDLE_MS = 5 * 60_000;
/** A pack whose process did not come to wait is left alone for so long. */
const PAUSE_MS = 5 * 60_000;
/** Starting a process keeps this one busy for longer than many a program takes; an interpreter needs the time to load. */
const SHORT_RUN_MS = 10;
/** When no run begins or ends for so long, nobody has to share a processor with what is made for later. */
const QUIET_MS = 50;

export type WarmPool = {
  /** The process that waits for a run of this pack, and what to give back after it; null when there is none. */
  take(pack: Pack, skillDir: string): Pick<Held, "process" | "uid" | "starter"> | null;
  /** A run of the pack executes. */
  begin(pack: Pack): void;
  /** A run of the pack is over; from now on its next process waits. */
  end(pack: Pack, skillDir: string): void;
  /** The packs to ask the server about, by its names, once a second; null when it was asked just now. */
  ask(): string[] | null;
  /** What the server says: how much memory may be held, and which of the packs it was asked about still stand. */
  obey(answer: { memoryMiB: number; current: string[] }, asked: string[]): void;
  dropAll(): void;
  /** Drops all and starts no more. */
  close(): void;
  /** Drops what has been idle, measures and bounds the rest; happens by itself every 30 s. */
  tidy(): void;
  processes(): Waiting[];
};

type Options = Omit<WaitingHost, "uid" | "starter" | "skillDir"> & {
  uids: UidPool;
  starters?: Starters | null;
  slotCount: number;
  /** Every slot executes: what waits now would take their time. */
  isBusy: () => boolean;
  now?: () => number;
  measure?: (pid: number) => number;
};

/**
 * Keeps processes waiting for the packs that ran last, each for one run, within the memory that the server allows (none
 * until it has said so). One more of a pack than ran at once is started right after one was taken, while a slot is free, and
 * as many at a time as there are slots. As many as ran within a second are started in the next pause, with a slot to spare.
 * Who was used longest ago makes room.
 */
export function createWarmPool(options: Options): WarmPool {
  const { uids, starters = null, slotCount, isBusy, now = () => performance.now(), measure = measureMemory } = options;
  const maxProcesses = Math.min(slotCount * PER_SLOT, MAX_PROCESSES);
  const shelves = new Map<string, Shelf>();
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

  const byUse = () => [...shelves.values()].sort((a, b) => a.usedMs - b.usedMs);
  const sum = (of: (shelf: Shelf) => number) => [...shelves.values()].reduce((total, shelf) => total + of(shelf), 0);
  const totalBytes = () => sum((shelf) => countOf(shelf) * bytesOf(shelf));
  const isPaused = ({ pack }: Shelf) => (pausedUntil.get(pack.key) ?? 0) > now();

  function discard({ process, uid, starter }: Held): void {
    // The id is given to nobody else while anything of the process lives.
    void process.end().then(() => {
      if (starter) starters?.giveBack(starter);
      if (uid !== null) uids.giveBack(uid);
    });
  }

  function drop(shelf: Shelf): void {
    shelves.delete(shelf.pack.key);
    for (const held of shelf.waiting.splice(0)) discard(held);
  }

  function removeDead(shelf: Shelf): void {
    for (const held of shelf.waiting.filter(({ process }) => !process.isAlive())) {
      shelf.waiting.splice(shelf.waiting.indexOf(held), 1);
      discard(held);
    }
  }

  function dropOutdated(pack: Pack): void {
    for (const shelf of shelves.values()) if (shelf.pack.id === pack.id && shelf.pack.key !== pack.key) drop(shelf);
  }

  function discardWhile(isFull: () => boolean, wanting?: { shelf: Shelf; lacksBase: boolean }): void {
    for (const held of takeFromShelves(shelves.values(), isFull, wanting)) discard(held);
  }

  function makeRoom(shelf: Shelf, lacksBase: boolean): boolean {
    const isFull = () => totalBytes() + bytesOf(shelf) > memoryBytes || sum(countOf) >= maxProcesses;
    discardWhile(isFull, { shelf, lacksBase });
    return !isFull() && uids.left() > slotCount;
  }

  function replenish(): void {
    if (starting >= slotCount || isClosed || memoryBytes === 0 || isBusy()) return;
    const lacking = byUse()
      .reverse()
      .filter((shelf) => !isPaused(shelf));
    const base = lacking.find((shelf) => countOf(shelf) < shelf.demand.base());
    // A slot is left to whoever comes.
    const mayMakeMore = isQuiet && starting < Math.max(1, slotCount - 1);
    const next = base ?? (mayMakeMore ? lacking.find((shelf) => countOf(shelf) < shelf.demand.wanted()) : undefined);
    if (next === undefined || !makeRoom(next, next === base)) return;
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

  function stir(): void {
    isQuiet = false;
    quiet.refresh();
  }

  async function start(shelf: Shelf): Promise<void> {
    const starter = starters?.take() ?? null;
    const ownUid = starter ? null : uids.take();
    const host = { ...options, uid: starter?.uid ?? ownUid, starter, skillDir: shelf.skillDir };
    let process: Waiting;
    try {
      process = await startWaiting(shelf.pack, host).finally(() => {
        shelf.starting -= 1;
      });
    } catch (failure) {
      if (starter) starters?.giveBack(starter);
      if (ownUid !== null) uids.giveBack(ownUid);
      throw failure;
    }
    const held: Held = { process, uid: ownUid, starter };
    if (shelves.get(shelf.pack.key) !== shelf) return discard(held);
    shelf.kind = process.kind;
    shelf.waiting.push(held);
    await process.ready;
    if (!shelf.waiting.includes(held)) return;
    if (!process.isAlive()) throw new Error("it ended before it waited");
    shelf.bytes ??= measure(process.pid);
    bound();
  }

  const bound = () => discardWhile(() => totalBytes() > memoryBytes);

  function tidy(): void {
    for (const shelf of shelves.values()) {
      if (!shelf.demand.isRunning() && now() - shelf.usedMs > IDLE_MS) {
        drop(shelf);
        continue;
      }
      removeDead(shelf);
      if (shelf.waiting[0]) shelf.bytes = measure(shelf.waiting[0].process.pid);
      shelf.demand.age();
      for (const held of shelf.waiting.splice(shelf.demand.wanted())) discard(held);
    }
    for (const [key, untilMs] of pausedUntil) if (untilMs <= now()) pausedUntil.delete(key);
    bound();
  }

  function dropAll(): void {
    for (const shelf of shelves.values()) drop(shelf);
  }

  return {
    take(pack, skillDir) {
      dropOutdated(pack);
      const shelf = shelves.get(pack.key);
      if (shelf === undefined) return null;
      removeDead(shelf);
      if (
        shelf.waiting[0]?.process.directory !== undefined &&
        shelf.waiting[0].process.directory !== identify(filesOf(options.isolation, skillDir))
      ) {
        drop(shelf);
        return null;
      }
      return shelf.waiting.shift() ?? null;
    },
    begin(pack) {
      const shelf = shelves.get(pack.key);
      if (shelf === undefined) return;
      stir();
      shelf.demand.begin();
      shelf.usedMs = now();
      setTimeout(replenish, shelf.kind === "program" ? SHORT_RUN_MS : 0).unref();
    },
    end(pack, skillDir) {
      if (isClosed || memoryBytes === 0) return;
      timer ??= setInterval(tidy, TICK_MS).unref();
      stir();
      const usedMs = now();
      const shelf = shelves.get(pack.key);
      if (shelf) {
        shelf.demand.end();
        shelf.usedMs = usedMs;
      } else {
        const demand = createDemand(slotCount, now);
        shelves.set(pack.key, { pack, skillDir, waiting: [], starting: 0, demand, usedMs, bytes: null, kind: null });
      }
      // After the run's outcome has been sent and its slot is free.
      setImmediate(() => setImmediate(replenish));
    },
    ask() {
      if (isClosed || now() - askedMs < ASK_MS) return null;
      askedMs = now();
      const packs = byUse()
        .reverse()
        .map(({ pack }) => pack.id);
      return [...new Set(packs)].slice(0, MAX_ASKED);
    },
    obey({ memoryMiB, current }, asked) {
      memoryBytes = memoryMiB * MIB;
      const gone = asked.filter((id) => !current.includes(id));
      for (const shelf of shelves.values()) if (memoryBytes === 0 || gone.includes(shelf.pack.id)) drop(shelf);
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
    processes: () => [...shelves.values()].flatMap(({ waiting }) => waiting.map(({ process }) => process)),
  };
}
