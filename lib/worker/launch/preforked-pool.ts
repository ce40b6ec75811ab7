import { setTimeout as delay } from "node:timers/promises";
import { findProgram } from "@/lib/core/find-program";
import type { UidPool } from "../processes/user-ids";
import { listProcessesOf, requireUid } from "../processes/user-ids";
import type { Isolation } from "../sandbox/isolation";
import { trialCommand, tryOut } from "../sandbox/try-out";
import { type Ground, hostGround, sandboxGround } from "./launch-context";
import { roomOf } from "./mount-view";
import { openStarter, type Starter } from "./preforked-launcher";

/** A process that waits for its run keeps its starter, so there are more than slots. */
const PER_SLOT = 12;
const MAX_STARTERS = 64;

export type Starters = {
  /** One that is idle, for a single start; null when there is none. */
  take(): Starter | null;
  /** The run it was taken for is over, whoever started it in the end: only then is its user id anybody else's. */
  giveBack(starter: Starter): void;
  /** How many could start something now. */
  idle(): number;
  close(): void;
};

type Options = {
  isolation: Isolation;
  uids: UidPool;
  slotCount: number;
  /** A directory that every user id can reach. */
  parent: string;
  /** The directories that all skills are in; `parent` when left out. */
  shown?: string[];
  /** Hears why there are none, or none that see less of the host; a sentence for people. */
  tell: (why: string) => void;
};

/**
 * Keeps shells that start runs, as many as slots and more when they are missed. Null where runs cannot be started by others:
 * bubblewrap takes root for it, and the isolations between that and none start theirs themselves.
 */
export function createStarters({ isolation, uids, slotCount, parent, shown = [], tell }: Options): Starters | null {
  const found = findGround(isolation, [parent, ...shown]);
  if (found === null) return null;
  let { groundFor, smaller: untried } = found;
  /** Used longest ago first. */
  const idle: Starter[] = [];
  const all = new Set<Starter>();
  const lent = new Set<Starter>();
  /** How the user ids are given back of those that ended while they were lent. */
  const owed = new Map<Starter, () => void>();
  const max = Math.min(slotCount * PER_SLOT, MAX_STARTERS);
  let wanted = Math.min(slotCount, MAX_STARTERS);
  let isOpening = false;
  let isClosed = false;

  async function open(): Promise<void> {
    const uid = uids.take();
    const giveBack = () => {
      if (uid !== null) void giveBackFree(uids, uid);
    };
    if (untried !== null) await settleGround(untried, uid);
    let starter: Starter | null = null;
    const events = {
      onIdle: () => {
        if (starter && !lent.has(starter)) idle.push(starter);
      },
      onGone: () => {
        if (starter && lent.has(starter)) owed.set(starter, giveBack);
        else giveBack();
        if (starter) forget(starter);
      },
    };
    try {
      starter = await openStarter(groundFor(uid), parent, events);
    } catch (error) {
      giveBack();
      throw error;
    }
    all.add(starter);
    if (isClosed) starter.close();
    else idle.push(starter);
  }

  async function settleGround(smaller: GroundFor, uid: number | null): Promise<void> {
    untried = null;
    const failure = await tryGround(smaller(uid), isolation, parent);
    if (failure === null) groundFor = smaller;
    else tell(`Starters see all of the host: ${failure}`);
  }

  function forget(starter: Starter): void {
    all.delete(starter);
    if (idle.includes(starter)) idle.splice(idle.indexOf(starter), 1);
    replenish();
  }

  function replenish(): void {
    // Every slot needs an id for runs that cannot be started here.
    if (isClosed || isOpening || all.size >= wanted || uids.left() <= slotCount) return;
    isOpening = true;
    open().then(
      () => {
        isOpening = false;
        replenish();
      },
      (error: unknown) => {
        isClosed = true;
        tell(`Runs are started by the worker itself: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  }

  replenish();
  return {
    take() {
      // The memory of the one used last is most likely still near the processor.
      const starter = idle.pop() ?? null;
      if (starter !== null) {
        lent.add(starter);
      } else {
        wanted = Math.min(max, Math.max(wanted, all.size + 1));
        replenish();
      }
      return starter;
    },
    idle: () => idle.length,
    giveBack(starter) {
      lent.delete(starter);
      owed.get(starter)?.();
      owed.delete(starter);
      if (starter.isFree()) idle.push(starter);
    },
    close() {
      isClosed = true;
      idle.length = 0;
      for (const starter of all) starter.close();
    },
  };
}

const LOOK_MS = 10;
const LOOKS = 200;

/** Gives an id back once no process has it: what a shell had started takes the kernel a moment to end. */
async function giveBackFree(uids: UidPool, uid: number): Promise<void> {
  for (let look = 0; look < LOOKS && listProcessesOf({ first: uid, count: 1 }).length > 0; look += 1)
    await delay(LOOK_MS);
  uids.giveBack(uid);
}

/** Makes the ground of a starter with a user id. */
type GroundFor = (uid: number | null) => Ground;

type FoundGround = {
  groundFor: GroundFor;
  /** With less of the host, once `tryGround` has found that it serves; null where that makes no difference. */
  smaller: GroundFor | null;
};

/** What starters stand on; null where there are none. `shown` are the directories that all skills are in. */
function findGround(isolation: Isolation, shown: string[]): FoundGround | null {
  if (isolation.kind === "bubblewrap") {
    const { setpriv, nsenter } = isolation;
    if (isolation.uids === null || setpriv === null || nsenter === null) return null;
    const room = roomOf(isolation, isolation.store ? [...shown, isolation.store.dir] : shown);
    const within = (place: typeof room) => (uid: number | null) =>
      sandboxGround({ ...isolation, setpriv, nsenter }, { uid: requireUid(uid), room: place });
    return { groundFor: within(null), smaller: room && within(room) };
  }
  if (isolation.kind !== "none" || process.platform !== "linux") return null;
  const setpriv = findProgram("setpriv");
  return setpriv ? { groundFor: () => hostGround(setpriv), smaller: null } : null;
}

/** Has a starter on this ground start a sandbox: null when it did, else why not. Nothing of it is left then. Never throws. */
async function tryGround(ground: Ground, isolation: Isolation, parent: string): Promise<string | null> {
  let onGone: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  try {
    const starter = await openStarter(ground, parent, { onIdle: () => {}, onGone });
    const failure = await tryOut(async () => {
      if (isolation.kind !== "bubblewrap") throw new Error("there is no sandbox to try");
      const child = await starter.start(trialCommand(isolation, ground.uid), { env: {} });
      if (child === null) throw new Error("it was not started");
      return child;
    });
    starter.close();
    await gone;
    return failure;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
