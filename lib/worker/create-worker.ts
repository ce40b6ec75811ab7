import type { Logger } from "pino";
import type { Server } from "./connect-server";
import { createOutbox, type Outbox } from "./create-outbox";
import { createSlots, type Slots } from "./create-slots";
import { createWake, type Wake } from "./create-wake";
import type { WorkDir } from "./prepare-work-dir";
import type { Isolation } from "./sandbox/isolation";
import { createUidPool, type UidPool } from "./sandbox/uid-pool";

export type Worker = {
  name: string;
  /** How many runs it executes at once. */
  slotCount: number;
  workDir: WorkDir;
  isolation: Isolation;
  /** Capability ids that it declares for skills. */
  capabilities: string[];
  uids: UidPool;
  server: Server;
  log: Logger;
  outbox: Outbox;
  slots: Slots;
  /** How to end each run that is executing, by `runId fence`. */
  running: Map<string, AbortController>;
  /** There is something to report. */
  reportWake: Wake;
  /** There are slots to ask leases for. */
  slotWake: Wake;
  isDraining: boolean;
};

/** Everything the two loops of a worker share. */
export function createWorker(
  options: Pick<Worker, "name" | "slotCount" | "workDir" | "isolation" | "capabilities" | "server" | "log">,
): Worker {
  const slotWake = createWake();
  return {
    ...options,
    uids: createUidPool(options.isolation.kind === "bubblewrap" ? options.isolation.uids : null),
    outbox: createOutbox(),
    // The reporter goes first: it asks for the next leases in the exchange that carries the outcomes.
    slots: createSlots(options.slotCount, () => setImmediate(slotWake.notify)),
    running: new Map(),
    reportWake: createWake(),
    slotWake,
    isDraining: false,
  };
}
