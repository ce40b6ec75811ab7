import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Transferable, Worker } from "node:worker_threads";

export type ThreadMessage<Result> =
  | { type: "ready"; version: string }
  /** Names the part of the job that begins, so that a terminated thread can be attributed. */
  | { type: "at"; id: number; part: string }
  | { type: "done"; id: number; result: Result }
  | { type: "failed"; id: number; message: string };

/** `at`: the part that was under way. `why` is a sentence. */
export type ThreadOutcome<Result> = { result: Result } | { at: string | null; why: string };

type Limits = { afterMs: number; signal?: AbortSignal | undefined; transfer?: Transferable[] | undefined };

export type Thread<Job, Result> = {
  /** What the program reported. */
  version: string;
  /**
   * Resolves with the result, or with the part under way when the thread was terminated: by a failure, lack of memory, or
   * after `afterMs` milliseconds. A terminated thread takes no further job. Rejects with the reason when `signal` aborts.
   */
  run(job: Job, limits: Limits): Promise<ThreadOutcome<Result>>;
  isOpen(): boolean;
  close(): Promise<void>;
};

type Program = {
  /** Text of a CommonJS program that calls `serveJobs`. */
  source: string;
  /** What the program must report; anything when absent. */
  version?: string | undefined;
  /** For sentences: "The scan failed". */
  name: string;
  heapMb: number;
  /** Command that builds the program again. */
  build: string;
};

/** Starts a thread and waits until it is ready. The thread gets no environment and no arguments. */
export async function openThread<Job, Result>(program: Program): Promise<Thread<Job, Result>> {
  // Loaded at run time because bundlers treat the argument of `Worker` as a module.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(program.source, {
    eval: true,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: program.heapMb },
  });
  let open = true;
  worker.once("exit", () => {
    open = false;
  });
  const version = await waitUntilReady(worker, program);
  worker.unref();
  let lastId = 0;
  return {
    version,
    run: (job, limits) => {
      lastId += 1;
      return runJob<Job, Result>(worker, { id: lastId, name: program.name, job }, limits);
    },
    isOpen: () => open,
    close: async () => {
      open = false;
      await worker.terminate();
    },
  };
}

function waitUntilReady(worker: Worker, { name, version, build }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (message: ThreadMessage<unknown>) => {
      worker.removeListener("error", reject);
      if (message.type === "ready" && message.version === (version ?? message.version)) resolve(message.version);
      else {
        void worker.terminate();
        reject(new Error(`The thread of the ${name} was built from other sources than this program. Run ${build}`));
      }
    });
  });
}

function runJob<Job, Result>(
  worker: Worker,
  { id, name, job }: { id: number; name: string; job: Job },
  { afterMs, signal, transfer = [] }: Limits,
): Promise<ThreadOutcome<Result>> {
  return new Promise((resolve, reject) => {
    let at: string | null = null;
    worker.ref();
    const end = (outcome: ThreadOutcome<Result>, stop: boolean) => {
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
      reject(signal?.reason);
      end({ at, why: "It was cancelled." }, true);
    };
    const onMessage = (message: ThreadMessage<Result>) => {
      if (message.type === "ready" || message.id !== id) return;
      if (message.type === "at") at = message.part;
      else if (message.type === "done") end({ result: message.result }, false);
      else end({ at, why: `The ${name} failed: ${message.message}` }, true);
    };
    const onError = (error: Error) => end({ at, why: `The ${name} failed: ${error.message}` }, true);
    const onExit = () => end({ at, why: `The ${name} ended without a result.` }, true);
    const timer = setTimeout(() => end({ at, why: `The ${name} was ended after ${afterMs} ms.` }, true), afterMs);
    worker.on("message", onMessage);
    worker.once("error", onError);
    worker.once("exit", onExit);
    if (signal?.aborted) {
      reject(signal.reason);
      end({ at, why: "It was cancelled." }, false);
      return;
    }
    signal?.addEventListener("abort", abort, { once: true });
    worker.postMessage({ id, job }, transfer);
  });
}

/**
 * Returns the program of a worker thread as text, `.build/<name>.cjs`. `npm start` builds it; elsewhere `bin/build-programs.mjs` builds
 * it again when its sources are newer. Reading it as text keeps bundlers from following the path.
 */
export async function loadThreadProgram(name: string): Promise<string> {
  const root = process.cwd();
  if (process.env.NODE_ENV !== "production") {
    const build = join(/* turbopackIgnore: true */ root, "bin", "build-programs.mjs");
    await promisify(execFile)(process.execPath, [build, name], { cwd: root });
  }
  return readFile(join(/* turbopackIgnore: true */ root, ".build", `${name}.cjs`), "utf8");
}
