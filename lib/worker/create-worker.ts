import type { Logger } from "pino";
import type { HostAccess } from "./access/host-access";
import type { Server } from "./connect-server";
import { createOutbox, type Outbox } from "./create-outbox";
import { createSlots, type Slots } from "./create-slots";
import { createTurns, type Turns } from "./create-turns";
import { createWake, type Wake } from "./create-wake";
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
