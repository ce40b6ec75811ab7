import type { Logger } from "pino";
import type { HostAccess } from "./access/host-access";
import type { Server } from "./connect-server";
import { createOutbox, type Outbox } from "./create-outbox";
import { createTurns, type Turns } from "./create-turns";
import { keepRunDirs, type RunDirs } from "./keep-run-dirs";
import { placeNode } from "./place-node";
import type { WorkDir } from "./prepare-work-dir";
import type { Isolation } from "./sandbox/isolation";
import { createUidPool, type UidPool } from "./sandbox/uid-pool";
import { createStarters, type Starters } from "./starters/create-starters";
import { createWarmPool, type WarmPool } from "./warm/create-warm-pool";
import { placeNodeGate } from "./warm/place-node-gate";

export type Worker = {
  name: string;
  /** How many runs it executes at once. */
  slotCount: number;
  workDir: WorkDir;
  isolation: Isolation;
  /** What its operator allows runs. */
  access: HostAccess;
  /** Capability ids that it declares for skills. */
  capabilities: string[];
  uids: UidPool;
  server: Server;
  log: Logger;
  outbox: Outbox;
  slots: Slots;
  turns: Turns;
  /** Null where there is no sandbox to wait in. */
  warm: WarmPool | null;
  /** Null where only this process can start runs. */
  starters: Starters | null;
  /** Of runs without isolation. */
  runDirs: RunDirs;
  /** How to end each run that is executing, by `runId fence`. */
  running: Map<string, AbortController>;
  /** Requests for leases whose answers never came, until the server has heard of it. */
  unanswered: Set<string>;
  /** There is something to report. */
  reportWake: Wake;
  /** There are slots to ask leases for. */
  slotWake: Wake;
  /** An admin, or a change on disk, wants the directories of skills read again. */
  rescan: { isAsked: boolean; wake: Wake };
  isDraining: boolean;
};

/** Everything the two loops of a worker share. */
export function createWorker(
  options: Pick<Worker, "name" | "slotCount" | "workDir" | "isolation" | "access" | "capabilities" | "server" | "log">,
): Worker {
  const { workDir } = options;
  const isolation =
    options.isolation.kind === "none"
      ? options.isolation
      : { ...options.isolation, node: options.isolation.node ?? placeNode(workDir) };
  const range = isolation.kind === "none" ? null : isolation.uids;
  const slotCount = Math.min(options.slotCount, range?.count ?? options.slotCount);
  const uids = createUidPool(range);
  const slotWake = createWake();
  const running: Worker["running"] = new Map();
  const isBusy = () => running.size >= slotCount;
  const turns = createTurns(slotCount);
  const starters = createStarters({
    isolation,
    uids,
    slotCount,
    parent: workDir.skillsDir,
    tell: (why) => options.log.info(why),
  });
  return {
    ...options,
    isolation,
    slotCount,
    uids,
    outbox: createOutbox(),
    slots: createSlots(slotCount, slotWake.notify, turns.ahead),
    turns,
    warm:
      isolation.kind === "bubblewrap"
        ? createWarmPool({
            isolation,
            uids,
            starters,
            slotCount,
            isBusy,
            env: process.env,
            nodeGate: placeNodeGate(workDir),
          })
        : null,
    starters,
    runDirs: keepRunDirs(),
    running,
    reportWake: createWake(),
    slotWake,
    unanswered: new Set(),
    rescan: { isAsked: false, wake: createWake() },
    isDraining: false,
  };
}

type Wake = { notify(): void; wait(maxMs: number): Promise<void> };

/** Lets one loop sleep until another part has something for it. A notification before the wait is not lost. */
function createWake(): Wake {
  let isNotified = false;
  let wakeUp: (() => void) | null = null;
  return {
    notify() {
      isNotified = true;
      wakeUp?.();
    },
    async wait(maxMs) {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wakeUp = null;
      }
      isNotified = false;
    },
  };
}

type Slots = {
  /** Takes every free slot for a request that is about to be sent, and says how many that are. */
  reserve(): number;
  /** Gives a reservation back once the request is answered; the leases it brought are taken with `take` before. */
  release(reserved: number): void;
  take(): void;
  free(): void;
};

/**
 * Counts slots, so that two requests under way at once never ask for the same one. `onFree` hears of slots to ask for.
 * `ahead` says how many leases more than that may be held.
 */
function createSlots(total: number, onFree: () => void, ahead: () => number = () => 0): Slots {
  let running = 0;
  let reserved = 0;
  const available = () => Math.max(0, total + ahead() - running - reserved);
  const tell = () => {
    if (available() > 0) onFree();
  };
  return {
    reserve() {
      const count = available();
      reserved += count;
      return count;
    },
    release(count) {
      reserved -= count;
      tell();
    },
    take() {
      running += 1;
    },
    free() {
      running -= 1;
      tell();
    },
  };
}
