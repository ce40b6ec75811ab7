import PQueue from "p-queue";
import { recordEvent } from "@/lib/audit/record-event";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { GitHubOptions } from "../github/create-api";
import { createGitHubClient, type GitHubClient, type Usage } from "../github/create-client";
import { readGitHubToken } from "../github/github-token";
import { githubHosts } from "../github/hosts";
import { SyncFailure } from "../sync-failure";
import { collectSnapshot } from "./collect-snapshot";
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
import { RepositoryChanged, resolveCommit } from "./resolve-commit";
import { storeSnapshot } from "./store-snapshot";

/** What tests replace, and the signal that ends a sync when the process stops. */
export type SyncOptions = Partial<Omit<GitHubOptions, "token">>;

const NOTHING_USED: Usage = { requests: 0, rawReads: 0, rate: null };

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

/**
 * Does one queued sync from beginning to end and writes on the source how it went; never throws for what GitHub does. Does
 * nothing when the job is no longer the queued one. When `signal` aborts, the source stays `running` and the next start of
 * the server queues it again.
 */
export async function runSync(ctx: Ctx, job: Job, options: SyncOptions = {}): Promise<void> {
  if (!(await begin(ctx, job))) return;
  let client: GitHubClient | null = null;
  try {
    const token = await readGitHubToken(ctx);
    client = createGitHubClient({ hosts: githubHosts(), now: ctx.now, ...options, token });
    await sync(ctx, job, client);
  } catch (error) {
    if (options.signal?.aborted) return;
    const failure = error instanceof SyncFailure ? error : internal(error, job);
    await recordFailure(ctx, job, failure, client?.usage() ?? NOTHING_USED);
  }
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

async function sync(ctx: Ctx, job: Job, client: GitHubClient): Promise<void> {
  const source = await ctx.db.catalogSource.findUniqueOrThrow({ where: { id: job.sourceId } });
  // What was indexed by an older program is read again, and then no tag may say that nothing changed.
  const reuse = source.indexVersion === INDEX_VERSION && source.commit !== null;
  const known = reuse ? source : { ...source, commit: null, commitEtag: null };
  const { commit, identity } = await resolveCommit(client, known, ctx.now());
  if (commit === "unchanged" || (reuse && commit.treeSha === source.treeSha)) {
    await storeSnapshot(ctx, job, { commit, identity, snapshot: null, usage: client.usage() });
    return;
  }
  const snapshot = await collectSnapshot(ctx, client, {
    source: { ...source, isPrivate: identity?.isPrivate ?? source.isPrivate },
    commit,
    treeEtag: reuse ? source.treeEtag : null,
    reuse,
    onProgress: (progress) => storeProgress(ctx, job, { ...progress, ...requestsOf(client) }),
  });
  const stored = snapshot === "unchanged" ? null : snapshot;
  await storeSnapshot(ctx, job, { commit, identity, snapshot: stored, usage: client.usage() });
}

function requestsOf(client: GitHubClient) {
  const { requests, rawReads } = client.usage();
  return { requests, rawReads };
}

async function storeProgress(
  ctx: Ctx,
  job: Job,
  data: { done: number; total: number; requests: number; rawReads: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.catalogSource.updateMany({ where: { id: job.sourceId, jobId: job.jobId, state: "running" }, data });
  });
}

function internal(error: unknown, job: Job): SyncFailure {
  logger.error({ err: error, sourceId: job.sourceId }, "a catalog sync failed");
  return new SyncFailure("internal", "The sync failed for a reason of our own; the log of the server has it.");
}

/**
 * Says on the source why its sync failed and when the next try is; what it shows stays. An event is written when the
 * reason is another one than before, not for each try.
 */
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
