import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { processStore } from "@/lib/core/process-store";
import { rulesVersion } from "@/lib/review/rules/all-rules";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { addFingerprints, limitHits } from "./findings";
import { KILL_AFTER_MS, THREAD_HEAP_MB } from "./limits";
import { draftUnread, type Unread } from "./scan-skill";
import type { ScanResult } from "./schema";

type Options = { signal?: AbortSignal; unread?: Unread[]; killAfterMs?: number };

type ScanQueue = { thread: ScanThread | null; queue: Promise<unknown> };

/**
 * Scans the files of one skill in a worker thread; calls are queued. Resolves for any content: a thread that is
 * terminated after 40 seconds is reported by OBF-004 findings and `complete: false`. Rejects when `signal` aborts or
 * the thread cannot start.
 */
export function scanFiles(
  files: SkillFile[],
  { signal, unread = [], killAfterMs = KILL_AFTER_MS }: Options = {},
): Promise<ScanResult> {
  const scans = processStore<ScanQueue>("scan", () => ({ thread: null, queue: Promise.resolve() }));
  const scan = scans.queue.then(async () => {
    signal?.throwIfAborted();
    const startedMs = performance.now();
    if (scans.thread === null || !scans.thread.isOpen()) scans.thread = await openThread(await loadThreadSource());
    const { thread } = scans;
    const outcome = await thread
      .run({ files: files.map(copyBytes), unread }, { afterMs: killAfterMs, signal })
      .catch((error: unknown) => {
        scans.thread = null;
        throw error;
      });
    if ("result" in outcome) return outcome.result;
    scans.thread = null;
    return reportTermination(files, unread, outcome, performance.now() - startedMs);
  });
  scans.queue = scan.catch(() => {});
  return scan;
}

/** Posting a view of a larger buffer would copy the whole buffer. */
function copyBytes({ path, mode, bytes }: SkillFile): SkillFile {
  return { path, mode, bytes: bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice() };
}

function reportTermination(
  files: SkillFile[],
  unread: Unread[],
  { endedAt, why }: Exclude<ThreadOutcome, { result: unknown }>,
  durationMs: number,
): ScanResult {
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === endedAt),
  );
  const drafts = [
    ...unread.map(({ path, text }) => draftUnread(path, text)),
    ...files
      .slice(at)
      .map(({ path }) =>
        draftUnread(path, path === endedAt ? `${why} It was scanning this file.` : `${why} This file was not scanned.`),
      ),
    ...files.slice(0, at).map(({ path }) => draftUnread(path, `${why} Findings in this file are lost.`)),
  ];
  const findings = addFingerprints(limitHits(drafts.map((draft) => ({ ...draft, raisedBy: null }))));
  return { findings, complete: false, rulesVersion: rulesVersion(), durationMs: Math.round(durationMs) };
}

/**
 * Returns the thread's program as text. `npm start` builds it; elsewhere it is rebuilt when its sources are newer.
 * Reading it as text keeps bundlers from following the path.
 */
export async function loadThreadSource(): Promise<string> {
  const root = process.cwd();
  if (process.env.NODE_ENV !== "production") {
    await promisify(execFile)(
      process.execPath,
      [join(/* turbopackIgnore: true */ root, "bin", "build-scan-thread.mjs")],
      { cwd: root },
    );
  }
  return readFile(join(/* turbopackIgnore: true */ root, ".build", "scan-thread.cjs"), "utf8");
}

export type ScanThread = {
  /**
   * Resolves with the result, or with the file the thread was scanning when it was terminated: by a failure, lack of
   * memory, or after `afterMs` milliseconds. A terminated thread takes no further job.
   */
  run(job: Omit<ScanJob, "id">, limits: { afterMs: number; signal?: AbortSignal | undefined }): Promise<ThreadOutcome>;
  isOpen(): boolean;
  close(): Promise<void>;
};

type ThreadOutcome = { result: ScanResult } | { endedAt: string | null; why: string };

/** Starts a thread and waits until it is ready. The thread gets no environment and no arguments. */
export async function openThread(source: string): Promise<ScanThread> {
  // Loaded at run time because bundlers treat the argument of `Worker` as a module.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(source, {
    eval: true,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });
  let open = true;
  worker.once("exit", () => {
    open = false;
  });
  await waitUntilReady(worker);
  worker.unref();
  let lastId = 0;
  return {
    run: (job, limits) => {
      lastId += 1;
      return runJob(worker, { ...job, id: lastId }, limits);
    },
    isOpen: () => open,
    close: async () => {
      open = false;
      await worker.terminate();
    },
  };
}

function waitUntilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (message: ThreadMessage) => {
      worker.removeListener("error", reject);
      if (message.type === "ready" && message.rulesVersion === rulesVersion()) resolve();
      else {
        void worker.terminate();
        reject(
          new Error(
            "The scan thread was built with other rules than this program. Build it again: node bin/build-scan-thread.mjs",
          ),
        );
      }
    });
  });
}

function runJob(
  worker: Worker,
  job: ScanJob,
  { afterMs, signal }: { afterMs: number; signal?: AbortSignal | undefined },
): Promise<ThreadOutcome> {
  return new Promise((resolve, reject) => {
    let endedAt: string | null = null;
    worker.ref();
    const end = (outcome: ThreadOutcome, stop: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      worker.removeListener("message", onMessage);
      worker.removeListener("error", onError);
      worker.removeListener("exit", onExit);
      worker.unref();
      if (stop) void worker.terminate();
      resolve(outcome);
    };
    const abort = () => {
      end({ endedAt, why: "It was cancelled." }, true);
      reject(signal?.reason);
    };
    const onMessage = (message: ThreadMessage) => {
      if (message.type === "ready" || message.id !== job.id) return;
      if (message.type === "file") endedAt = message.path;
      else if (message.type === "done") end({ result: message.result }, false);
      else end({ endedAt, why: `The scan failed: ${message.message}` }, true);
    };
    const onError = (error: Error) => end({ endedAt, why: `The scan failed: ${error.message}` }, true);
    const onExit = () => end({ endedAt, why: "The scan ended without a result." }, true);
    const timer = setTimeout(() => end({ endedAt, why: `The scan was ended after ${afterMs} ms.` }, true), afterMs);
    worker.on("message", onMessage);
    worker.once("error", onError);
    worker.once("exit", onExit);
    if (signal?.aborted) {
      end({ endedAt, why: "It was cancelled." }, false);
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", abort, { once: true });
    worker.postMessage(job);
  });
}

export type ScanJob = { id: number; files: SkillFile[]; unread: Unread[] };

/** `file` names the file that the thread begins, so that a terminated thread can be attributed. */
export type ThreadMessage =
  | { type: "ready"; rulesVersion: string }
  | { type: "file"; id: number; path: string }
  | { type: "done"; id: number; result: ScanResult }
  | { type: "failed"; id: number; message: string };
