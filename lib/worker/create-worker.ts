import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { HostAccess } from "./access/host-access";
import { keepRunDirs, type RunDirs } from "./files/keep-run-dirs";
import type { WorkDir } from "./files/prepare-work-dir";
import { placeNode } from "./launch/place-node";
import type { Server } from "./report/connect-server";
import { createOutbox, type Outbox } from "./report/create-outbox";
import type { Isolation } from "./sandbox/claim-uids";
import { createUidPool, type UidPool } from "./sandbox/uid-pool";
import { createStarters, type Starters } from "./starters/create-starters";
import { createWarmPool, type WarmPool } from "./warm/create-warm-pool";
import { NODE_GATE } from "./warm/node-gate";

/** Runs are short when so many in a row took less than this. */
const SHORT_MS = 100;

const IN_A_ROW = 8;

/** Leases beyond the slots that cover the time which the server takes to hear of an end and to hand over the next. */
const AHEAD = 3;

/** What the last run counts for in what runs are expected to take. */
const WEIGHT = 0.2;

/** How long a lease waits for a slot before it is given back. */
const PATIENCE_MS = 250;

export type Turn = { end(tookMs: number): void };

type Turns = {
  /** A slot to execute in; null when none was free in time, or the signal was aborted before one was. */
  take(signal: AbortSignal): Promise<Turn | null>;
  /** How many leases may be held beyond the slots: three while runs are short, else none. */
  ahead(): number;
  /** Whether another run is likely to end within this time, while leases wait for its slot: news of an end can wait for it. */
  isEndDue(withinMs: number): boolean;
};

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

/** Writes what node waits in beside the skills, where every run's user id can reach it; answers its path. */
export function placeNodeGate({ skillsDir }: WorkDir): string {
  const path = join(skillsDir, "gate.cjs");
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, NODE_GATE, { mode: 0o444 });
  return path;
}

/**
 * Hands out slots in the order they are asked for. While runs are short a worker holds three leases more than it has slots,
 * and starts them when a slot is free, which is sooner than the server could be asked for one.
 */
export function createTurns(total: number): Turns {
  let taken = 0;
  let shortInARow = 0;
  let usualMs = SHORT_MS;
  const waiting = new Set<() => void>();

  function begin(): Turn {
    taken += 1;
    return {
      end(tookMs) {
        taken -= 1;
        usualMs += (tookMs - usualMs) * WEIGHT;
        shortInARow = tookMs < SHORT_MS ? shortInARow + 1 : 0;
        const [next] = waiting;
        next?.();
      },
    };
  }

  function wait(signal: AbortSignal): Promise<Turn | null> {
    return new Promise((resolve) => {
      const settle = (turn: Turn | null) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        waiting.delete(next);
        resolve(turn);
      };
      const next = () => settle(begin());
      const giveUp = () => settle(null);
      const timer = setTimeout(() => {
        shortInARow = 0;
        giveUp();
      }, PATIENCE_MS);
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.add(next);
    });
  }

  return {
    async take(signal) {
      if (taken < total && waiting.size === 0) return begin();
      return signal.aborted ? null : wait(signal);
    },
    isEndDue: (withinMs) => waiting.size > 0 && usualMs / total < withinMs,
    ahead: () => (shortInARow >= IN_A_ROW ? AHEAD : 0),
  };
}
