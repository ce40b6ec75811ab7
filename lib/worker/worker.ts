import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { HostAccess } from "./access/host-access";
import type { Server } from "./connect-server";
import { createRunDirPool, type RunDirPool } from "./files/run-dirs";
import { placeNode, type WorkDir } from "./files/work-dir";
import { createPreforkedPool, type PreforkedPool } from "./launch/preforked-pool";
import { createPrewarmedPool, type PrewarmedPool } from "./launch/prewarmed-pool";
import { NODE_BARRIER } from "./launch/start-barrier";
import { createOutbox, type Outbox } from "./outbox";
import { createUidPool, type UidPool } from "./processes/user-ids";
import type { StopReason } from "./run/run-failure";
import type { Isolation } from "./sandbox/isolation";
import { createSlotQueue, createSlots, type SlotQueue, type Slots } from "./slots";

export type Worker = {
  name: string;
  slotCount: number;
  workDir: WorkDir;
  isolation: Isolation;
  access: HostAccess;
  capabilities: string[];
  uids: UidPool;
  server: Server;
  log: Logger;
  outbox: Outbox;
  slots: Slots;
  slotQueue: SlotQueue;
  /** Null where there is no sandbox to prewarm. */
  warm: PrewarmedPool | null;
  /** Null where only this process can start runs. */
  preforked: PreforkedPool | null;
  runDirs: RunDirPool;
  /** The abort controller of each executing run, by `runId fence`. */
  running: Map<string, AbortController>;
  /** Requests for leases whose answers never arrived; kept until the server has been notified. */
  unanswered: Set<string>;
  reportWake: Wake;
  slotWake: Wake;
  /** Notified when an admin, or a change on disk, requires a new scan of the skill directories. */
  rescan: { isAsked: boolean; wake: Wake };
  isDraining: boolean;
};

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
  const slotQueue = createSlotQueue(slotCount);
  const preforked = createPreforkedPool({
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
    slots: createSlots(slotCount, slotWake.notify, slotQueue.prefetchLimit),
    slotQueue,
    warm:
      isolation.kind === "bubblewrap"
        ? createPrewarmedPool({
            isolation,
            uids,
            preforked,
            slotCount,
            isBusy,
            env: process.env,
            nodeBarrier: placeNodeBarrier(workDir),
          })
        : null,
    preforked,
    runDirs: createRunDirPool(),
    running,
    reportWake: createWake(),
    slotWake,
    unanswered: new Set(),
    rescan: { isAsked: false, wake: createWake() },
    isDraining: false,
  };
}

type Wake = { notify(): void; wait(maxMs: number): Promise<void> };

/** Lets one loop sleep until another part of the worker notifies it. A notification before the wait is not lost. */
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

/** Writes NODE_BARRIER next to the skills, where every run's user id can read it; returns its path. */
export function placeNodeBarrier({ skillsDir }: WorkDir): string {
  const path = join(skillsDir, "start-barrier.cjs");
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, NODE_BARRIER, { mode: 0o444 });
  return path;
}

/** Shorter than other grace periods: the outcomes must still reach the server before the worker ends. */
const GRACE_MS = 1500;

export const drainReason: StopReason = {
  code: "worker_stopped",
  message: "The worker was stopped.",
  graceMs: GRACE_MS,
};

/** Takes no more leases and ends every run; the loops return when the server has been told of all of them. */
export function drainWorker(worker: Worker): void {
  worker.isDraining = true;
  worker.warm?.close();
  worker.preforked?.close();
  worker.runDirs.close();
  for (const stop of worker.running.values()) stop.abort(drainReason);
  worker.reportWake.notify();
  worker.slotWake.notify();
}
