import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createBackOff, type Server, ServerError } from "../connect-server";
import type { WorkDir } from "../files/work-dir";
import type { UidPool } from "../processes/user-ids";
import type { AnalysisLease, AnalysisOutcome } from "../protocol";
import type { StopReason } from "../run/run-failure";
import { runAnalysis } from "./run-analysis";
import type { AnalysisHost } from "./traced-launch";

export type AnalysisWorker = {
  server: Pick<Server, "leaseAnalysis" | "holdsAnalysis" | "fetchAnalysisBlob" | "askAgent" | "reportAnalysis">;
  workDir: WorkDir;
  uids: UidPool;
  log: Logger;
  checkMs?: number;
};

/** How often an idle worker asks; people wait for an analysis for seconds anyway. */
const IDLE_MS = 3_000;
/** How often the server is asked whether an analysis is still wanted. */
const CHECK_MS = 3_000;
const MAX_REPORTS = 5;

const stopped: StopReason = { code: "worker_stopped", message: "The worker was stopped.", graceMs: 0 };
const cancelled: StopReason = { code: "cancelled", message: "The dry run was cancelled.", graceMs: 0 };

/**
 * Leases and executes analyses, one at a time beside the runs, until the signal is aborted. Returns at once on a worker
 * that cannot analyse. Throws ServerError when the server refuses the token.
 */
export async function runAnalyses(
  worker: AnalysisWorker,
  host: AnalysisHost | string,
  signal: AbortSignal,
  idleMs = IDLE_MS,
): Promise<void> {
  if (typeof host === "string") return;
  const backOff = createBackOff();
  while (!signal.aborted) {
    try {
      const lease = await worker.server.leaseAnalysis(signal);
      backOff.reset();
      if (lease === null) await delay(idleMs, undefined, { signal });
      else await execute(worker, host, lease, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      // A server of an earlier release has no analyses.
      const waitMs = error.isAbsent ? 60_000 : backOff.nextMs();
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function execute(worker: AnalysisWorker, host: AnalysisHost, lease: AnalysisLease, signal: AbortSignal) {
  const { server, log } = worker;
  const about = { analysisId: lease.analysisId, digest: lease.versionDigest };
  log.info(about, "analysis started");
  const stop = new AbortController();
  const end = () => stop.abort(stopped);
  signal.addEventListener("abort", end, { once: true });
  const over = new AbortController();
  void stopWhenCancelled(worker, lease, { stop, over: over.signal });
  const outcome = await runAnalysis(lease, {
    ...{ host, workDir: worker.workDir, uids: worker.uids, stop: stop.signal },
    fetchBlob: (sha256) => server.fetchAnalysisBlob(lease, sha256, signal),
    askAgent: (step, commands) => server.askAgent(lease.analysisId, { fence: lease.fence, step, commands }, signal),
  }).finally(() => {
    over.abort();
    signal.removeEventListener("abort", end);
  });
  await report(worker, lease, outcome);
  log.info({ ...about, outcome: outcome.kind }, "analysis ended");
}

/** Asks the server until the analysis is over. No answer says nothing: a server of an earlier release has none. */
async function stopWhenCancelled(
  { server, log, checkMs = CHECK_MS }: AnalysisWorker,
  lease: AnalysisLease,
  { stop, over }: { stop: AbortController; over: AbortSignal },
): Promise<void> {
  while (!over.aborted) {
    const isHeld = await server.holdsAnalysis(lease, over).catch(() => true);
    if (!isHeld && !over.aborted) {
      log.info({ analysisId: lease.analysisId }, "analysis cancelled");
      return stop.abort(cancelled);
    }
    await delay(checkMs, undefined, { signal: over }).catch(() => {});
  }
}

/** Sends the outcome; one that the server refuses is replaced by its refusal, so that the analysis does not stay open. */
async function report({ server, log }: AnalysisWorker, lease: AnalysisLease, outcome: AnalysisOutcome): Promise<void> {
  const backOff = createBackOff();
  let sent = outcome;
  for (let attempt = 1; attempt <= MAX_REPORTS; attempt += 1) {
    try {
      return await server.reportAnalysis(lease, sent);
    } catch (error) {
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      log.warn({ cause: error.message, analysisId: lease.analysisId }, "report of an analysis not delivered");
      if (error.isAbsent || error.status === 409) return;
      if (error.isRefusedContent)
        sent = { kind: "failed", reason: `The server refuses the report: ${error.message}`.slice(0, 2_000) };
      await delay(backOff.nextMs());
    }
  }
}
