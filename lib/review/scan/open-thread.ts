import type { Worker } from "node:worker_threads";
import { THREAD_HEAP_MB } from "./limits";
import { rulesVersion } from "./rules-version";
import type { ScanResult } from "./schema";
import type { ScanJob, ThreadMessage } from "./thread-protocol";

export type ScanThread = {
  /**
   * Resolves with the result, or with where the thread was when it was ended: by its own failure, for lack of memory, or
   * `afterMs` milliseconds after it got the job. A thread that was ended takes no further job.
   */
  run(job: Omit<ScanJob, "id">, limits: { afterMs: number; signal?: AbortSignal | undefined }): Promise<ThreadOutcome>;
  isOpen(): boolean;
  close(): Promise<void>;
};

export type ThreadOutcome = { result: ScanResult } | { endedAt: string | null; why: string };

/** Starts a thread from the text of its program and waits until it is ready. It sees no environment and no arguments. */
export async function openThread(source: string): Promise<ScanThread> {
  // By name at run time: a bundler would try to make a module of what Worker is given.
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
            "The scan thread was built from other rules than this program. Build it again: node bin/build-scan-thread.mjs",
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
      end({ endedAt, why: "It was called off." }, true);
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
      end({ endedAt, why: "It was called off." }, false);
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", abort, { once: true });
    worker.postMessage(job);
  });
}
