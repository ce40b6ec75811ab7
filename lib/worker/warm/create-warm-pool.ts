import type { UidPool } from "../sandbox/uid-pool";
import type { Starters } from "../starters/create-starters";
import type { Starter } from "../starters/open-starter";
import { measureMemory } from "./measure-memory";
import { identify, startWaiting, type Waiting, type WaitingHost } from "./start-waiting";
import type { Pack } from "./warm-key";

const ASK_MS = 1000;
const MAX_ASKED = 256;
const MAX_PROCESSES = 64;
const MIB = 1024 ** 2;
const TICK_MS = 30_000;
/** A pack that nobody ran for so long has no process waiting. */
const IDLE_MS = 5 * 60_000;
/** A pack whose process did not come to wait is left alone for so long. */
const PAUSE_MS = 5 * 60_000;
/** Starting a process keeps this one busy for longer than many a program takes; an interpreter needs the time to load. */
const SHORT_RUN_MS = 10;
/** What a process is taken to hold until it is measured. */
const ESTIMATE = { program: 4 * MIB, python: 16 * MIB, node: 64 * MIB };

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

/** With the user id that it has of its own, or the starter whose it has. */
type Held = { process: Waiting; uid: number | null; starter: Starter | null; bytes: number };
type Shelf = {
  pack: Pack;
  skillDir: string;
  waiting: Held[];
  running: number;
  /** Processes on their way to waiting. */
  starting: number;
  /** How many may wait: one more than ran at once of late, so that the next run need not wait for its process. */
  wanted: number;
  mostRunning: number;
  usedMs: number;
  bytes: number | null;
  kind: Waiting["kind"] | null;
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
 * Keeps processes waiting for the packs that ran last, each for one run: at most one more of a pack than ran at once, twice
 * the slots altogether, within the memory that the server allows (none until it has said so). They are started right after
 * one was taken, while a slot is free, and as many at a time as there are slots. Who was used longest ago makes room.
 */
export function createWarmPool(options: Options): WarmPool {
  const { uids, starters = null, slotCount, isBusy, now = () => performance.now(), measure = measureMemory } = options;
  const maxProcesses = Math.min(slotCount * 2, MAX_PROCESSES);
  const shelves = new Map<string, Shelf>();
  const pausedUntil = new Map<string, number>();
  let askedMs = Number.NEGATIVE_INFINITY;
  let memoryBytes = 0;
  let starting = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const wantedFor = (running: number) => Math.min(slotCount, running + 1);
  const all = () => [...shelves.values()].flatMap((shelf) => shelf.waiting);
  const byUse = () => [...shelves.values()].sort((a, b) => a.usedMs - b.usedMs);
  const total = () => all().reduce((sum, { bytes }) => sum + bytes, 0);

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

  function makeRoom(shelf: Shelf, bytes: number): boolean {
    const isFull = () => total() + bytes > memoryBytes || all().length >= maxProcesses;
    for (const other of byUse()) {
      if (!isFull()) break;
      if (other === shelf) return false;
      while (isFull() && other.waiting[0]) discard(other.waiting.shift() as Held);
    }
    return !isFull() && uids.left() > slotCount;
  }

  function replenish(): void {
    if (starting >= slotCount || isClosed || memoryBytes === 0 || isBusy()) return;
    const lacking = byUse().reverse();
    const next = lacking.find((shelf) => shelf.waiting.length + shelf.starting < shelf.wanted && !isPaused(shelf));
    if (next === undefined || !makeRoom(next, next.bytes ?? ESTIMATE.program)) return;
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

  const isPaused = ({ pack }: Shelf) => (pausedUntil.get(pack.key) ?? 0) > now();

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
    const held: Held = { process, uid: ownUid, starter, bytes: shelf.bytes ?? ESTIMATE[process.kind] };
    if (shelves.get(shelf.pack.key) !== shelf) return discard(held);
    shelf.kind = process.kind;
    shelf.waiting.push(held);
    await process.ready;
    if (!shelf.waiting.includes(held)) return;
    if (!process.isAlive()) throw new Error("it ended before it waited");
    // Nothing of the skill has run, so that another one of the same pack holds as much.
    if (shelf.bytes === null) weigh(shelf, held);
    bound();
  }

  function weigh(shelf: Shelf, held: Held): void {
    held.bytes = measure(held.process.pid);
    shelf.bytes = held.bytes;
  }

  function bound(): void {
    for (const shelf of byUse())
      while (total() > memoryBytes && shelf.waiting[0]) discard(shelf.waiting.shift() as Held);
  }

  function tidy(): void {
    for (const shelf of shelves.values()) {
      if (shelf.running === 0 && now() - shelf.usedMs > IDLE_MS) {
        drop(shelf);
        continue;
      }
      removeDead(shelf);
      for (const held of shelf.waiting) weigh(shelf, held);
      shelf.wanted = wantedFor(shelf.mostRunning);
      shelf.mostRunning = shelf.running;
      for (const held of shelf.waiting.splice(shelf.wanted)) discard(held);
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
        shelf.waiting[0].process.directory !== identify(skillDir)
      ) {
        drop(shelf);
        return null;
      }
      return shelf.waiting.shift() ?? null;
    },
    begin(pack) {
      const shelf = shelves.get(pack.key);
      if (shelf === undefined) return;
      shelf.running += 1;
      shelf.usedMs = now();
      shelf.mostRunning = Math.max(shelf.mostRunning, shelf.running);
      shelf.wanted = Math.max(shelf.wanted, wantedFor(shelf.running));
      setTimeout(replenish, shelf.kind === "program" ? SHORT_RUN_MS : 0).unref();
    },
    end(pack, skillDir) {
      if (isClosed || memoryBytes === 0) return;
      timer ??= setInterval(tidy, TICK_MS).unref();
      const usedMs = now();
      const shelf = shelves.get(pack.key);
      if (shelf) {
        shelf.running = Math.max(0, shelf.running - 1);
        shelf.usedMs = usedMs;
      } else {
        const fresh = {
          pack,
          skillDir,
          waiting: [],
          running: 0,
          starting: 0,
          wanted: wantedFor(0),
          mostRunning: 1,
          usedMs,
          bytes: null,
          kind: null,
        };
        shelves.set(pack.key, fresh);
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
      dropAll();
    },
    tidy,
    processes: () => all().map(({ process }) => process),
  };
}
