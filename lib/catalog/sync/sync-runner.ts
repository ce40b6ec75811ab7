import PQueue from "p-queue";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { listQueuedSyncs, queueDueSyncs, requeueInterruptedSyncs } from "./queue-sync";
import { runSync, type SyncOptions } from "./run-sync";
import { onSyncQueued } from "./wake-syncs";

const AT_ONCE = 2;
/** How long after the last regular call a wake-up still starts something: this process may not be the leader any more. */
const AWAKE_MS = 5_000;

/** Runs queued syncs of a process: one at a time for each source, two in all. */
export type SyncRunner = {
  /** Queues what is due or was cut off, and begins what waits; answers how many. Safe to call again at any time. */
  start(ctx: Ctx): Promise<number>;
  /** Resolves when nothing that was begun is under way. */
  idle(): Promise<void>;
  /** Breaks off what is under way, which the next process begins anew, and begins nothing more. */
  stop(): Promise<void>;
};

/** The runner of this process. */
export function syncRunner(): SyncRunner {
  return processStore("catalog-sync-runner", () => createSyncRunner());
}

export function createSyncRunner(options: SyncOptions = {}): SyncRunner {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const stopping = new AbortController();
  const underWay = new Set<string>();
  let stopListening: (() => void) | null = null;
  let lastCall = 0;
  let lastTurn: Promise<unknown> = Promise.resolve();

  // One after the other: what one has begun would look interrupted to another that asks in the middle of it.
  function begin(ctx: Ctx): Promise<number> {
    const turn = lastTurn.then(() => beginQueued(ctx));
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function beginQueued(ctx: Ctx): Promise<number> {
    if (stopping.signal.aborted) return 0;
    await requeueInterruptedSyncs(ctx, [...underWay]);
    await queueDueSyncs(ctx);
    const jobs = (await listQueuedSyncs(ctx)).filter((job) => !underWay.has(job.sourceId));
    for (const job of jobs) {
      underWay.add(job.sourceId);
      void queue.add(() =>
        runSync(ctx, job, { ...options, signal: stopping.signal })
          .catch((err: unknown) => logger.error({ err, sourceId: job.sourceId }, "a catalog sync could not end"))
          .finally(() => underWay.delete(job.sourceId)),
      );
    }
    return jobs.length;
  }

  return {
    start: async (ctx) => {
      lastCall = Date.now();
      stopListening ??= onSyncQueued(() => {
        if (Date.now() - lastCall > AWAKE_MS) return;
        begin(ctx).catch((err: unknown) => logger.error({ err }, "a queued catalog sync could not begin"));
      });
      return begin(ctx);
    },
    idle: () => queue.onIdle(),
    stop: async () => {
      stopping.abort();
      stopListening?.();
      await queue.onIdle();
    },
  };
}
