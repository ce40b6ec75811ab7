import { onTestFinished } from "vitest";
import { prepareWorkDir } from "../files/work-dir";
import { createPrewarmedPool, type PrewarmedPool } from "../launch/prewarmed-pool";
import { createUidPool, type UidPool } from "../processes/user-ids";
import type { Outcome } from "../protocol";
import type { Bubblewrap } from "../sandbox/isolation";
import { placeNodeBarrier } from "../worker";
import { type Execution, executeLease } from "./execute-lease";
import type { LeaseKit } from "./make-lease";
import { makeWorkDir } from "./make-work-dir";
import { shareMountView } from "./share-mount-view";
import { sharePreforked } from "./share-preforked";
import { shareStore } from "./share-store";
import { waitUntil } from "./wait-until";

export type PrewarmedWorker = {
  pool: PrewarmedPool;
  uids: UidPool;
  start(kit: LeaseKit): Promise<Execution>;
  run(kit: LeaseKit): Promise<Outcome>;
  /** Resolves when `count` processes wait, each at its start barrier. */
  waiting(count: number): Promise<void>;
};

type Options = {
  env?: Record<string, string>;
  memoryMiB?: number;
  slotCount?: number;
  /** Whether preforked launchers start its sandboxes, as in a worker that is root. */
  hasPreforked?: boolean;
  now?: () => number;
  measure?: (pid: number) => number;
};

/** Executes leases in one work directory; their processes may be prewarmed, as if the server had allowed it. */
export async function startPrewarmedWorker(found: Bubblewrap, options: Options = {}): Promise<PrewarmedWorker> {
  const { env = {}, memoryMiB = 1024, slotCount = 4, hasPreforked = false, now, measure } = options;
  const workDir = await prepareWorkDir(makeWorkDir());
  const isolation = await shareStore(await shareMountView(found));
  const uids = createUidPool(isolation.uids);
  const preforked = hasPreforked ? await sharePreforked(isolation, uids) : null;
  const nodeBarrier = placeNodeBarrier(workDir);
  const isBusy = () => false;
  const pool = createPrewarmedPool({
    isolation,
    uids,
    preforked,
    slotCount,
    isBusy,
    env,
    nodeBarrier,
    ...(now && { now }),
    ...(measure && { measure }),
  });
  pool.applyServerState({ memoryMiB, current: [] }, []);
  onTestFinished(() => pool.close());
  const start = (kit: LeaseKit) => executeLease(kit, { isolation, workDir, uids, preforked, env, warm: pool });
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
