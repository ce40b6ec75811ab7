import PQueue from "p-queue";
import { recordEvent } from "@/lib/audit/record-event";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { CatalogSource } from "@/lib/db/generated/client";
import { UNREAD_RELEASE } from "../registries/create-registry-reader";
import { placeOf, withReaderOptions } from "../sources/with-reader";
import { SyncFailure } from "../sync-failure";
import { holdBack, readerInput, runInThread } from "../thread/run-in-thread";
import { SyncSuperseded, serveStore } from "../thread/serve-store";
import type { Collected } from "./collect-snapshot";
import { createReader, type ReaderOptions } from "./create-reader";
import { INDEX_VERSION } from "./index-skill";
import {
  type Job,
  listQueuedSyncs,
  onSyncQueued,
  queueDueSyncs,
  requeueInterruptedSyncs,
  retryAfterFailures,
  usageColumns,
} from "./queue-sync";
import { addUsage, type Commit, NOTHING_USED, RepositoryChanged, type Usage } from "./source-reader";
import { storeSnapshot } from "./store-snapshot";

/** Overrides for tests, and the signal that ends a sync. */
export type SyncOptions = Partial<Omit<ReaderOptions, "token" | "credential" | "scratch">> & {
  /** Time of a whole sync, in which a host may answer each request late; an hour by default. What was read is kept. */
  maxMs?: number;
};

const AT_ONCE = 2;
const MAX_MS = 3_600_000;
/** How long after `start` a notification begins a sync; later this process may not be the leader. */
const AWAKE_MS = 5_000;

/** Runs the queued syncs of this process: one per source, two in total. */
export type SyncRunner = {
  /** Queues due and interrupted syncs, begins the queued ones and returns their number. May be called at any time. */
  start(ctx: Ctx): Promise<number>;
  idle(): Promise<void>;
  /** Aborts running syncs, which the next process repeats, and begins no more. */
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

  // Serialized, because a sync that another call just began would look interrupted.
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
          .catch((err: unknown) =>
            logger.error({ err, sourceId: job.sourceId }, "the result of a catalog sync could not be stored"),
          )
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
        begin(ctx).catch((err: unknown) => logger.error({ err }, "a queued catalog sync could not be started"));
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

/**
 * Runs one queued sync and stores its result on the source. Never throws for errors of GitHub. Does nothing when
 * another job replaced this one. After an abort the source stays `running`, and the next start of the server queues it
 * again.
 */
export async function runSync(ctx: Ctx, job: Job, { maxMs = MAX_MS, ...options }: SyncOptions = {}): Promise<void> {
  if (!(await begin(ctx, job))) return;
  const used = { total: NOTHING_USED };
  const stop = new AbortController();
  let late: SyncFailure | null = null;
  const timer = setTimeout(() => {
    late = tooLate(maxMs);
    stop.abort(late);
  }, maxMs);
  const abort = () => stop.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  if (options.signal?.aborted) abort();
  try {
    await sync(ctx, job, { ...options, signal: stop.signal }, used);
  } catch (error) {
    if (options.signal?.aborted || error instanceof SyncSuperseded) return;
    const reason: unknown = late ?? error;
    const failure = reason instanceof SyncFailure ? reason : internal(reason, job);
    await recordFailure(ctx, job, failure, used.total);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

function tooLate(ms: number): SyncFailure {
  const minutes = Math.ceil(ms / 60_000);
  return new SyncFailure(
    "timeout",
    `The source did not end within ${minutes} minutes. What was read is kept for the next try.`,
  );
}

async function begin(ctx: Ctx, job: Job): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.catalogSource.updateMany({
      where: { id: job.sourceId, jobId: job.jobId, state: "queued" },
      data: { state: "running", startedAt: ctx.now(), done: 0, total: 0, requests: 0, rawReads: 0 },
    });
    return count === 1;
  });
}

async function sync(ctx: Ctx, job: Job, given: SyncOptions, used: { total: Usage }): Promise<void> {
  const source = await ctx.db.catalogSource.findUniqueOrThrow({ where: { id: job.sourceId } });
  // After a change of the indexer everything is read again, so etags must not report it as unchanged.
  const reuse = source.indexVersion === INDEX_VERSION && source.commit !== null;
  const isUnread = source.skipped.includes(`"code":"${UNREAD_RELEASE}"`);
  const known = reuse && !isUnread ? source : { ...source, commit: null, commitEtag: null };
  await withReaderOptions(ctx, source, given, async (options) => {
    const reader = createReader(placeOf(source), options);
    const { commit, identity } = await reader.changedSince(known, ctx.now()).finally(() => {
      used.total = reader.usage();
    });
    const isSame = commit === "unchanged" || (reuse && commit.treeSha !== null && commit.treeSha === source.treeSha);
    const found = { ...source, ...identity };
    const collected = isSame ? null : await collect(ctx, job, found, { commit, reuse, options, used });
    await storeSnapshot(ctx, job, { commit, identity, collected, usage: used.total });
  });
}

type Collecting = { commit: Commit; reuse: boolean; options: ReaderOptions; used: { total: Usage } };

/** Reads and indexes the commit in the catalog thread; null when its tree is unchanged. */
async function collect(
  ctx: Ctx,
  job: Job,
  source: CatalogSource,
  { commit, reuse, options, used }: Collecting,
): Promise<Collected | null> {
  const before = used.total;
  const { repo, folder } = source;
  const { sha, treeSha } = commit;
  const known = reuse
    ? { treeEtag: source.treeEtag, indexedTree: source.treeSha }
    : { treeEtag: null, indexedTree: null };
  const store = serveStore(ctx, job, { requests: before.requests, rawReads: before.rawReads });
  const result = await runInThread(
    {
      type: "collect",
      reader: readerInput(placeOf(source), options),
      input: { repo, folder, commit: { sha, treeSha }, ...known, reuse },
    },
    {
      store,
      signal: options.signal,
      onUsage: (usage) => {
        used.total = addUsage(before, usage);
      },
    },
  ).catch((error: unknown) => {
    holdBack(error, options);
    throw error;
  });
  return result === "unchanged" ? null : (result as Collected);
}

function internal(error: unknown, job: Job): SyncFailure {
  logger.error({ err: error, sourceId: job.sourceId }, "a catalog sync failed");
  return new SyncFailure(
    "internal",
    "The sync failed because of an error in Skillgate. The server’s log has the details.",
  );
}

/** Stores the failure and the next attempt; records an event only when the error code changes. */
async function recordFailure(ctx: Ctx, job: Job, failure: SyncFailure, usage: Usage): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await tx.catalogSource.findUnique({ where: { id: job.sourceId } });
    if (source === null || source.jobId !== job.jobId || source.state !== "running") return;
    const failures = source.failures + 1;
    const pending = failure instanceof RepositoryChanged ? failure.pending : null;
    const planned = later(retryAfterFailures(failures, ctx.now()), failure.retryAt);
    await tx.catalogSource.update({
      where: { id: source.id },
      data: {
        state: "failed",
        error: failure.message,
        errorCode: failure.code,
        failures,
        nextSyncAt: source.enabled && pending === null ? planned : null,
        ...(pending && { pendingRepository: JSON.stringify(pending) }),
        ...usageColumns(usage),
      },
    });
    if (source.failures > 0 && source.errorCode === failure.code) return;
    await recordEvent(tx, txCtx, {
      action: "catalog_source.failed",
      outcome: "failed",
      summary: `could not sync the catalog source ${source.label}: ${failure.message}`,
      target: { kind: "catalog_source", id: source.id, name: source.label },
      data: { code: failure.code, requests: usage.requests, ...(pending && { pending }) },
    });
  });
}

function later(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}
