import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import { loadThreadProgram } from "@/lib/core/threads/open-thread";
import { openThread, type Thread } from "./open-thread";
import type { Tasks } from "./tasks";
import { buffersOf } from "./tasks";

const MAX_THREADS = 2;
const MAX_WAITING = 50;
const AFTER_MS = 20_000;
const HEAP_MB = 512;
/** Threads without work are ended, since each takes up about 15 MiB. */
const IDLE_MS = 60_000;
const RETRY_SECONDS = 5;

export type TaskJob = { name: keyof Tasks; input: unknown };
type TaskThread = Thread<TaskJob, unknown>;
type Pool = {
  idle: { thread: TaskThread; timer: NodeJS.Timeout }[];
  running: number;
  waiting: (() => void)[];
  source: Promise<string> | null;
};

/**
 * Does a long piece of work in one of two worker threads, so that the event loop goes on. Takes over the bytes of the
 * input. Throws `unavailable` when 50 others wait, when the thread ends (it may use 512 MiB), after 20 seconds, or when the
 * signal aborts before its turn.
 */
export async function runTask<Name extends keyof Tasks>(
  name: Name,
  input: Tasks[Name]["input"],
  { afterMs = AFTER_MS, signal }: { afterMs?: number; signal?: AbortSignal } = {},
): Promise<Tasks[Name]["output"]> {
  const pool = taskPool();
  if (pool.running >= MAX_THREADS) {
    if (pool.waiting.length >= MAX_WAITING) throw unavailable("too much other work is waiting.");
    await waitForTurn(pool, signal);
  } else pool.running += 1;
  try {
    const thread = await acquire(pool);
    const outcome = await thread.run({ name, input }, { afterMs, transfer: buffersOf(input) });
    if (!("result" in outcome)) throw unavailable(outcome.why);
    release(pool, thread);
    return outcome.result as Tasks[Name]["output"];
  } finally {
    const next = pool.waiting.shift();
    if (next === undefined) pool.running -= 1;
    else next();
  }
}

function waitForTurn(pool: Pool, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      pool.waiting = pool.waiting.filter((one) => one !== enter);
      reject(unavailable("its client has left."));
    };
    if (signal?.aborted) return leave();
    signal?.addEventListener("abort", leave, { once: true });
    pool.waiting.push(enter);
  });
}

function taskPool(): Pool {
  return processStore<Pool>("task-threads", () => ({ idle: [], running: 0, waiting: [], source: null }));
}

function unavailable(why: string): AppError {
  return new AppError("unavailable", `This request needs more work than the server can do now: ${why}`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

async function acquire(pool: Pool): Promise<TaskThread> {
  for (let next = pool.idle.pop(); next !== undefined; next = pool.idle.pop()) {
    clearTimeout(next.timer);
    if (next.thread.isOpen()) return next.thread;
  }
  pool.source ??= loadThreadProgram("task-thread");
  const build = "node bin/build-programs.mjs task-thread";
  try {
    return await openThread<TaskJob, unknown>({
      ...{ source: await pool.source, version: "1", name: "work", heapMb: HEAP_MB, build },
    });
  } catch (error) {
    pool.source = null;
    throw error;
  }
}

function release(pool: Pool, thread: TaskThread): void {
  const timer = setTimeout(() => {
    pool.idle = pool.idle.filter((one) => one.thread !== thread);
    void thread.close();
  }, IDLE_MS);
  pool.idle.push({ thread, timer: timer.unref() });
}
