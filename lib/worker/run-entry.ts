import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { collectStdout } from "./collect-stdout";
import type { EmitEvent } from "./emit-event";
import { endOnStop } from "./end-on-stop";
import type { ProcessTree } from "./find-tree";
import { killTree } from "./kill-tree";
import type { RunLimits } from "./protocol";
import type { EntryProcess } from "./spawn-entry";
import { readStopReason, type StopReason } from "./stop-reason";
import { streamStderr } from "./stream-stderr";

const GRACE_MS = 1500;
const STREAMS_MS = 300;

export type EntryEnd = {
  startedAt: Date;
  durationMs: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stopReason: StopReason | null;
  stdout: Buffer;
  stderrTail: string;
  truncated: boolean;
};

type EntryRun = {
  start(): Promise<EntryProcess>;
  /** What it has on the host, by which its processes are recognised; null in a sandbox. */
  runDir: string | null;
  args: unknown;
  limits: Pick<RunLimits, "timeoutMs" | "stdoutBytes" | "stderrBytes">;
  /** Null outside a sandbox. With process ids of its own, nothing outlives its first process. */
  sandbox: { hasOwnPids: boolean } | null;
};

/**
 * Runs an entry to its end, whatever that is: its own exit, the time limit, too much stdout, or an abort of `stop` from
 * outside. None of its processes lives when this returns. Throws RunFailure when the entry cannot be started.
 */
export async function runEntry(run: EntryRun, emit: EmitEvent, stop: AbortController): Promise<EntryEnd> {
  const { limits } = run;
  const startedAt = new Date();
  const startedMs = performance.now();
  const child = await run.start();
  const tree: ProcessTree = { leader: child.pid, directory: run.runDir, startedMs };
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));

  const stdout = collectStdout(limits.stdoutBytes, () => stop.abort(overLimit(limits.stdoutBytes)));
  const stderr = streamStderr(limits.stderrBytes, emit);
  child.stdout.on("data", stdout.write).on("error", ignoreLostStream);
  child.stderr.on("data", stderr.write).on("error", ignoreLostStream);
  const forget = endOnStop(stop.signal, { tree, isSandboxed: run.sandbox !== null, emit });
  const timer = setTimeout(() => stop.abort(timedOut(limits.timeoutMs)), Math.min(limits.timeoutMs, 2 ** 31 - 1));
  feed(child, run.args);

  await exited;
  clearTimeout(timer);
  forget();
  const stopReason = readStopReason(stop.signal);
  const durationMs = performance.now() - startedMs;
  await endStreams(child, closed, run.sandbox?.hasOwnPids ? null : tree, { isStopped: stopReason !== null, emit });
  const { truncated } = stderr.end();
  // The rest of a pipe is read after the exit, and may be what goes over the limit.
  const lateReason = stdout.isOverLimit() ? overLimit(limits.stdoutBytes) : null;
  return {
    startedAt,
    durationMs,
    exitCode: child.exitCode,
    signal: child.signalCode ?? (run.sandbox ? signalOfCode(child.exitCode) : null),
    stopReason: stopReason ?? lateReason,
    stdout: stdout.bytes(),
    stderrTail: stderr.tail(),
    truncated: truncated || stdout.isOverLimit(),
  };
}

/** bubblewrap reports a signal as a shell does, as 128 and its number. */
function signalOfCode(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= 128) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found ? (found[0] as NodeJS.Signals) : null;
}

function feed(child: EntryProcess, args: unknown): void {
  // An entry need not read its input: EPIPE says that, and would end this process if nobody listened.
  child.stdin.on("error", ignoreLostStream);
  child.stdin.end(JSON.stringify(args));
}

function ignoreLostStream(): void {}

/**
 * What the entry wrote may still be in the pipes at its exit, and a process it left behind may hold them open for ever:
 * hence a short wait, then the end of whatever is left of the tree.
 */
async function endStreams(
  child: EntryProcess,
  closed: Promise<void>,
  tree: ProcessTree | null,
  { isStopped, emit }: { isStopped: boolean; emit: EmitEvent },
): Promise<void> {
  if (!isStopped || tree === null) await waitAtMost(STREAMS_MS, closed);
  const survivors = tree === null ? 0 : await killTree(tree);
  if (survivors > 0 && !isStopped) emit("system", `Ended ${survivors} processes that the skill had left running.`);
  await waitAtMost(STREAMS_MS, closed);
  child.stdout.destroy();
  child.stderr.destroy();
}

async function waitAtMost(maxMs: number, promise: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = delay(maxMs, undefined, { signal: timer.signal }).catch(() => {
    // Aborted below, once the promise was first.
  });
  await Promise.race([promise, late]);
  timer.abort();
}

function timedOut(timeoutMs: number): StopReason {
  return {
    code: "timed_out",
    message: `The run took longer than its limit of ${timeoutMs / 1000} s.`,
    graceMs: GRACE_MS,
  };
}

function overLimit(maxBytes: number): StopReason {
  return { code: "output_limit", message: `stdout is longer than its limit of ${maxBytes} bytes.`, graceMs: 0 };
}
