import { setTimeout as delay } from "node:timers/promises";
import { findProgram } from "@/lib/core/find-program";

import { listProcessesOf, requireUid, type UidPool } from "../processes/user-ids";
import type { Isolation } from "../sandbox/isolation";
import { runTrial, trialCommand } from "../sandbox/trial-runs";
import { bubblewrapLaunch } from "./direct-launcher";
import { hostContext, type LaunchContext, sandboxContext } from "./launch-context";
import { mountViewOf } from "./mount-view";
import { openPreforkedLauncher, type PreforkedLauncher } from "./preforked-launcher";

/** Prewarmed processes keep their launchers, so there are more launchers than slots. */
const PER_SLOT = 12;
const MAX_LAUNCHERS = 64;

export type PreforkedPool = {
  acquire(): PreforkedLauncher | null;
  /** Call it when the run is over, even if another launcher started it: only then may another run have the user id. */
  release(launcher: PreforkedLauncher): void;
  idle(): number;
  close(): void;
};

type Options = {
  isolation: Isolation;
  uids: UidPool;
  slotCount: number;
  /** A directory that every user id can reach. */
  parent: string;
  /** The directories that contain all skills; default: `parent`. */
  shown?: string[];
  /** Receives the reason when there are no launchers, or none with a mount view. */
  tell: (why: string) => void;
};

/**
 * Maintains preforked launchers: one per slot, and more when none is idle. The most recently used one is used next, which
 * gave 4 to 9 % more runs a second (docs/figures.md). Null where launchers cannot be used: with bubblewrap they need root,
 * and the isolation levels between bubblewrap and none start their runs directly.
 */
export function createPreforkedPool({
  isolation,
  uids,
  slotCount,
  parent,
  shown = [],
  tell,
}: Options): PreforkedPool | null {
  const found = findContext(isolation, [parent, ...shown]);
  if (found === null) return null;
  let { contextFor, smaller: untried } = found;
  const idle: PreforkedLauncher[] = [];
  const all = new Set<PreforkedLauncher>();
  const lent = new Set<PreforkedLauncher>();
  /** Releases the user ids of launchers that ended while they were lent. */
  const owed = new Map<PreforkedLauncher, () => void>();
  const max = Math.min(slotCount * PER_SLOT, MAX_LAUNCHERS);
  let wanted = Math.min(slotCount, MAX_LAUNCHERS);
  let isOpening = false;
  let isClosed = false;

  async function open(): Promise<void> {
    const uid = uids.acquire();
    const release = () => {
      if (uid !== null) void releaseFree(uids, uid);
    };
    if (untried !== null) await settleContext(untried, uid);
    let launcher: PreforkedLauncher | null = null;
    const events = {
      onIdle: () => {
        if (launcher && !lent.has(launcher)) idle.push(launcher);
      },
      onGone: () => {
        if (launcher && lent.has(launcher)) owed.set(launcher, release);
        else release();
        if (launcher) forget(launcher);
      },
    };
    try {
      launcher = await openPreforkedLauncher(contextFor(uid), parent, events);
    } catch (error) {
      release();
      throw error;
    }
    all.add(launcher);
    if (isClosed) launcher.close();
    else idle.push(launcher);
  }

  async function settleContext(smaller: ContextFor, uid: number | null): Promise<void> {
    untried = null;
    const failure = await tryContext(smaller(uid), isolation, parent);
    if (failure === null) contextFor = smaller;
    else tell(`Preforked launchers see all of the host: ${failure}`);
  }

  function forget(launcher: PreforkedLauncher): void {
    all.delete(launcher);
    if (idle.includes(launcher)) idle.splice(idle.indexOf(launcher), 1);
    replenish();
  }

  function replenish(): void {
    // Each slot needs a user id for runs that launchers cannot start.
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
    acquire() {
      // Its memory is most likely still in the processor's cache.
      const launcher = idle.pop() ?? null;
      if (launcher !== null) {
        lent.add(launcher);
      } else {
        wanted = Math.min(max, Math.max(wanted, all.size + 1));
        replenish();
      }
      return launcher;
    },
    idle: () => idle.length,
    release(launcher) {
      lent.delete(launcher);
      owed.get(launcher)?.();
      owed.delete(launcher);
      if (launcher.isFree()) idle.push(launcher);
    },
    close() {
      isClosed = true;
      idle.length = 0;
      for (const launcher of all) launcher.close();
    },
  };
}

const CHECK_MS = 10;
const CHECKS = 200;

/** Releases an id once no process has it: the kernel needs a moment to end the shell's processes. */
async function releaseFree(uids: UidPool, uid: number): Promise<void> {
  for (let check = 0; check < CHECKS && listProcessesOf({ first: uid, count: 1 }).length > 0; check += 1)
    await delay(CHECK_MS);
  uids.release(uid);
}

type ContextFor = (uid: number | null) => LaunchContext;

type FoundContext = {
  contextFor: ContextFor;
  /** With a mount view, used once `tryContext` has succeeded; null where that makes no difference. */
  smaller: ContextFor | null;
};

/** The context of preforked launchers; null where there are none. `shown` are the directories that contain all skills. */
function findContext(isolation: Isolation, shown: string[]): FoundContext | null {
  if (isolation.kind === "bubblewrap") {
    const { setpriv, nsenter } = isolation;
    if (isolation.uids === null || setpriv === null || nsenter === null) return null;
    const view = mountViewOf(isolation, isolation.store ? [...shown, isolation.store.dir] : shown);
    const within = (shownTo: typeof view) => (uid: number | null) =>
      sandboxContext({ ...isolation, setpriv, nsenter }, { uid: requireUid(uid), view: shownTo });
    return { contextFor: within(null), smaller: view && within(view) };
  }
  if (isolation.kind !== "none" || process.platform !== "linux") return null;
  const setpriv = findProgram("setpriv");
  return setpriv ? { contextFor: () => hostContext(setpriv), smaller: null } : null;
}

/** Starts a sandbox through a launcher in this context: null when it worked, else the reason. Ends both. Never throws. */
async function tryContext(context: LaunchContext, isolation: Isolation, parent: string): Promise<string | null> {
  let onGone: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  try {
    const launcher = await openPreforkedLauncher(context, parent, { onIdle: () => {}, onGone });
    const failure = await runTrial(async () => {
      if (isolation.kind !== "bubblewrap") throw new Error("there is no sandbox to try");
      const child = await launcher.start(
        bubblewrapLaunch(isolation, trialCommand(isolation, context.uid), { env: {}, uid: context.uid }),
      );
      if (child === null) throw new Error("it was not started");
      return child;
    });
    launcher.close();
    await gone;
    return failure;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
