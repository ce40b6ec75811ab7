import type { Worker } from "node:worker_threads";
import { processStore } from "@/lib/core/process-store";
import { loadThreadProgram } from "@/lib/core/threads/open-thread";
import { rateLimitGuardOf } from "../github/rate-limit";
import type { ReaderOptions } from "../sync/create-reader";
import type { ReaderPlace, Usage } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";
import type { ProcessMessage, ReaderInput, ThreadJob, ThreadMessage } from "./messages";
import type { SyncStore } from "./sync-store";

/** Enough for the list of a repository with 600,000 files. */
const HEAP_MIB = 512;
const YOUNG_MIB = 16;
/** How long a thread waits for its next job. */
const IDLE_MS = 3_000;
/** What requests of the thread depend on; it gets nothing else of the environment. */
const VARIABLES = [
  "GITHUB_API_URL",
  "GITHUB_RAW_URL",
  "NODE_EXTRA_CA_CERTS",
  "SKILLGATE_OUTGOING_RANGES",
  "NODE_ENV",
] as const;

type Thread = { worker: Worker; variables: string; timer: NodeJS.Timeout | null };
type Options = {
  /** Refuses every call when absent. */
  store?: SyncStore;
  signal?: AbortSignal | undefined;
  /** Requests of the job, also of one that fails. */
  onUsage(usage: Usage): void;
};

/**
 * Runs a job in a worker thread of its own, which holds no connection to the database. Rejects with the `SyncFailure` of the job, with
 * the error of a call of the store, with the reason of `signal`, or with `too_large` when the thread runs out of memory.
 */
export async function runInThread(job: ThreadJob, options: Options): Promise<unknown> {
  options.signal?.throwIfAborted();
  const thread = takeIdle() ?? (await openThread());
  try {
    // It may have been aborted while the thread opened.
    options.signal?.throwIfAborted();
    const result = await runJob(thread.worker, job, options);
    keepIdle(thread);
    return result;
  } catch (error) {
    if (error instanceof JobFailed) keepIdle(thread);
    else void thread.worker.terminate();
    throw error instanceof JobFailed ? error.cause : error;
  }
}

/** The thread reported the failure itself, and can run another job. */
class JobFailed extends Error {}

function idleThreads(): Thread[] {
  return processStore("catalog-threads", () => []);
}

function takeIdle(): Thread | undefined {
  const idle = idleThreads();
  const at = idle.findIndex(({ variables }) => variables === JSON.stringify(environment()));
  const [thread] = at === -1 ? [] : idle.splice(at, 1);
  if (thread?.timer) clearTimeout(thread.timer);
  thread?.worker.ref();
  return thread;
}

function keepIdle(thread: Thread): void {
  idleThreads().push(thread);
  thread.worker.unref();
  thread.timer = setTimeout(() => {
    drop(thread);
    void thread.worker.terminate();
  }, IDLE_MS).unref();
}

function drop(thread: Thread): void {
  const idle = idleThreads();
  const at = idle.indexOf(thread);
  if (at !== -1) idle.splice(at, 1);
}

function environment(): Record<string, string> {
  return Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function openThread(): Promise<Thread> {
  const program = await loadThreadProgram("catalog-thread");
  // Loaded at run time because bundlers treat the argument of `Worker` as a module.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const env = environment();
  const worker = new Worker(program, {
    eval: true,
    name: "catalog",
    env,
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const thread: Thread = { worker, variables: JSON.stringify(env), timer: null };
  worker.once("exit", () => drop(thread));
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", () => {
      worker.off("error", reject);
      resolve();
    });
  });
  return thread;
}

function runJob(worker: Worker, job: ThreadJob, { store, signal, onUsage }: Options): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      signal?.removeEventListener("abort", onAbort);
      finish();
    };
    const post = (message: ProcessMessage) => worker.postMessage(message);
    const answer = async ({ id, call }: Extract<ThreadMessage, { type: "call" }>) => {
      if (store === undefined) throw new Error(`the job has no store for ${call.method}`);
      const method = store[call.method] as (...given: unknown[]) => Promise<unknown>;
      const value = await method(...call.given);
      // The job may have been aborted meanwhile.
      if (signal?.aborted !== true) post({ type: "answer", id, value });
    };
    const onMessage = (message: ThreadMessage) => {
      if (message.type === "call") answer(message).catch((error: unknown) => end(() => reject(error)));
      if (message.type === "done" || message.type === "failed") onUsage(message.usage);
      if (message.type === "done") end(() => resolve(message.result));
      if (message.type === "failed") end(() => reject(new JobFailed("", { cause: causeOf(message) })));
    };
    const onError = (error: Error) => end(() => reject(isOutOfMemory(error) ? tooMuchMemory(error) : error));
    const onExit = () => end(() => reject(new Error("the catalog thread ended without a result")));
    const onAbort = () => end(() => reject(signal?.reason));
    worker.on("message", onMessage);
    worker.once("error", onError);
    worker.once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    post({ type: "job", job });
  });
}

function causeOf({ failure, error }: Extract<ThreadMessage, { type: "failed" }>): Error {
  if (failure === null) return new Error(`the catalog thread failed: ${error}`);
  return new SyncFailure(failure.code, failure.message, { retryAt: failure.retryAt });
}

function isOutOfMemory(error: Error): boolean {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooMuchMemory(cause: Error): SyncFailure {
  const text = `The repository needs more than ${HEAP_MIB} MiB of memory to be read. Limit the source to a folder.`;
  return new SyncFailure("too_large", text, { cause });
}

/** What the thread needs to open the same reader. */
export function readerInput(place: ReaderPlace, options: ReaderOptions): ReaderInput {
  const { hosts, token, timeoutMs, retryDelayMs, credential, scratch, now } = options;
  const clockOffsetMs = now === undefined ? 0 : now().getTime() - Date.now();
  return { place, options: { hosts, token, timeoutMs, retryDelayMs, credential, scratch }, clockOffsetMs };
}

/** Lets the process wait for a rate limit that a thread ran into: each thread has a guard of its own. */
export function holdBack(error: unknown, { hosts, rateLimitGuard }: ReaderOptions): void {
  if (!(error instanceof SyncFailure) || error.code !== "rate_limited" || error.retryAt === null) return;
  (rateLimitGuard ?? rateLimitGuardOf(hosts.apiUrl)).limitUntil(error.retryAt);
}
