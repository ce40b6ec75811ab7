import { onTestFinished } from "vitest";
import { prepareWorkDir } from "../files/work-dir";
import { createWarmPool, type WarmPool } from "../launch/prewarmed-pool";
import { createUidPool, type UidPool } from "../processes/user-ids";
import type { Outcome } from "../protocol";
import type { Bubblewrap } from "../sandbox/isolation";
import { placeNodeGate } from "../worker";
import { type Execution, executeLease } from "./execute-lease";
import type { LeaseKit } from "./make-lease";
import { makeWorkDir } from "./make-work-dir";
import { shareRoot } from "./share-mount-view";
import { shareStarters } from "./share-preforked";
import { shareStore } from "./share-store";
import { waitUntil } from "./wait-until";

export type WarmWorker = {
  pool: WarmPool;
  uids: UidPool;
  start(kit: LeaseKit): Promise<Execution>;
  run(kit: LeaseKit): Promise<Outcome>;
  /** Resolves once so many processes wait, each at its gate. */
  waiting(count: number): Promise<void>;
};

type Options = {
  env?: Record<string, string>;
  memoryMiB?: number;
  slotCount?: number;
  /** Whether its sandboxes are started by starters, as in a worker that is root. */
  hasStarters?: boolean;
  now?: () => number;
  measure?: (pid: number) => number;
};

/** Runs leases in one work directory whose processes may wait, as the server allowed it. */
export async function startWarmWorker(found: Bubblewrap, options: Options = {}): Promise<WarmWorker> {
  const { env = {}, memoryMiB = 1024, slotCount = 4, hasStarters = false, now, measure } = options;
  const workDir = await prepareWorkDir(makeWorkDir());
  const isolation = await shareStore(await shareRoot(found));
  const uids = createUidPool(isolation.uids);
  const starters = hasStarters ? await shareStarters(isolation, uids) : null;
  const nodeGate = placeNodeGate(workDir);
  const isBusy = () => false;
  const pool = createWarmPool({
    isolation,
    uids,
    starters,
    slotCount,
    isBusy,
    env,
    nodeGate,
    ...(now && { now }),
    ...(measure && { measure }),
  });
  pool.obey({ memoryMiB, current: [] }, []);
  onTestFinished(() => pool.close());
  const start = (kit: LeaseKit) => executeLease(kit, { isolation, workDir, uids, starters, env, warm: pool });
  return {
    pool,
    uids,
    start,
    run: async (kit) => (await start(kit)).outcome,
    async waiting(count) {
      await waitUntil(`${count} waiting processes`, () => pool.processes().length === count);
      await Promise.all(pool.processes().map(({ ready }) => ready));
    },
  };
}
