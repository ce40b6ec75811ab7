import type { Redactor } from "@/lib/core/redact/create-redactor";
import type { EntryProcess, StartBarrier } from "../launch/launcher";
import { killTree, listChildren, noteSession, type ProcessTree, signalGroup } from "../processes/process-tree";
import { type Use, watchUse } from "../processes/process-use";
import { signalOfCode } from "../processes/read-process";
import type { RunLimits } from "../protocol";
import { type EmitEvent, streamStderr } from "../stream-stderr";
import { readStopReason, type StopReason } from "./run-failure";

const GRACE_MS = 1500;
const STREAMS_MS = 300;
const SANDBOX_PROCESSES = 2;

export type EntryEnd = {
  startedAt: Date;
  durationMs: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stopReason: StopReason | null;
  stdout: Buffer;
  stderrTail: string;
  truncated: boolean;
  /** From the lease until the entry had its input and its sandbox was built. */
  sandboxMs: number;
  warm: boolean;
  use: Use;
};

type EntryRun = {
  start(): Promise<EntryProcess>;
  /** Its directory on the host, by which its processes are recognised; null in a sandbox. */
  runDir: string | null;
  /** Null: `start` gives the process its input. */
  stdin: string | null;
  limits: Pick<RunLimits, "timeoutMs" | "stdoutBytes" | "stderrBytes">;
  /** Null outside a sandbox. With process ids of its own, no process outlives the first one. */
  sandbox: { hasOwnPids: boolean } | null;
  ownUid?: number;
  redactor?: Redactor | null;
  barrier?: () => StartBarrier | null;
  groupUse?: () => Use | null;
  /** When the lease was accepted, on the `performance.now()` clock. */
  acceptedMs?: number;
  waitedSinceMs?: number;
};

/** Runs an entry to its end; none of its processes lives afterwards. Throws RunFailure when it cannot be started. */
export async function runEntry(run: EntryRun, emit: EmitEvent, stop: AbortController): Promise<EntryEnd> {
  const { limits } = run;
  const startedAt = new Date();
  const startedMs = performance.now();
  const child = await run.start();
  const use = watchUse(child.pid, run.sandbox ? SANDBOX_PROCESSES : 0);
  const tree: ProcessTree = {
    leader: child.pid,
    shell: child.shell,
    directory: run.runDir,
    uid: run.ownUid,
    startedMs: run.waitedSinceMs ?? startedMs,
  };
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));

  const stdout = collectStdout(limits.stdoutBytes, () => stop.abort(overLimit(limits.stdoutBytes)));
  const stderr = streamStderr(limits.stderrBytes, emit);
  const hidden = run.redactor?.stream() ?? null;
  // Its first output is often its last action.
  child.stdout.once("data", use.read);
  child.stdout.on("data", stdout.write).on("error", ignoreLostStream);
  child.stderr
    .on("data", (chunk: Buffer) => stderr.write(hidden ? hidden.write(chunk) : chunk))
    .on("error", ignoreLostStream);
  const isOver = noteSession(child.shell ?? child.pid);
  const forget = endOnStop(stop.signal, { tree, isSandboxed: run.sandbox !== null, emit });
  const timer = setTimeout(() => stop.abort(timedOut(limits.timeoutMs)), Math.min(limits.timeoutMs, 2 ** 31 - 1));
  feed(child, run.stdin);
  const fedMs = performance.now();

  await exited;
  clearTimeout(timer);
  forget();
  const stopReason = readStopReason(stop.signal);
  const durationMs = performance.now() - startedMs;
  await endStreams(child, closed, run.sandbox?.hasOwnPids ? null : tree, { isStopped: stopReason !== null, emit });
  isOver();
  if (hidden) stderr.write(hidden.end(stopReason !== null));
  const { truncated } = stderr.end();
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
    sandboxMs: Math.max(fedMs, run.barrier?.()?.notifiedMs() ?? 0) - (run.acceptedMs ?? startedMs),
    warm: run.waitedSinceMs !== undefined,
    use: moreOf(use.end(), run.groupUse?.() ?? NOTHING_KNOWN),
  };
}

const NOTHING_KNOWN: Use = { cpuMs: null, peakMemoryBytes: null };

function moreOf(one: Use, other: Use): Use {
  const more = (name: keyof Use) => Math.max(one[name] ?? 0, other[name] ?? 0) || null;
  return { cpuMs: more("cpuMs"), peakMemoryBytes: more("peakMemoryBytes") };
}

function feed(child: EntryProcess, stdin: string | null): void {
  // An entry need not read its input; an unhandled EPIPE would end this process.
  child.stdin.on("error", ignoreLostStream);
  if (stdin !== null) child.stdin.end(stdin);
}

function ignoreLostStream(): void {}

/** Waits briefly for the last output, then kills processes that the entry left running, which may hold the pipes open. */
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

function waitAtMost(maxMs: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxMs);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
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

type StdoutCollector = { write(chunk: Buffer): void; bytes(): Buffer; isOverLimit(): boolean };

/** Keeps stdout up to `maxBytes` and calls `onOverLimit` once at the first byte beyond. */
function collectStdout(maxBytes: number, onOverLimit: () => void): StdoutCollector {
  const chunks: Buffer[] = [];
  let total = 0;
  return {
    write(chunk) {
      if (total > maxBytes) return;
      chunks.push(chunk.subarray(0, maxBytes - total));
      total += chunk.length;
      if (total > maxBytes) onOverLimit();
    },
    bytes: () => Buffer.concat(chunks),
    isOverLimit: () => total > maxBytes,
  };
}

type Run = { tree: ProcessTree; isSandboxed: boolean; emit: EmitEvent };

/** SIGTERM when the signal is aborted, and SIGKILL after the reason's grace period. Returns a function that cancels this. */
function endOnStop(signal: AbortSignal, { tree, isSandboxed, emit }: Run): () => void {
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    const reason = readStopReason(signal);
    if (reason === null) return;
    emit("system", `${reason.message} The run is being ended.`);
    if (reason.graceMs === 0) kill();
    else {
      for (const leader of findLeaders(tree, isSandboxed)) terminate(leader);
      timer = setTimeout(kill, reason.graceMs);
    }
  }

  function kill(): void {
    void killTree(tree);
  }

  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return () => {
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  };
}

/**
 * The leaders of the entry's process group: its shell and itself. In a sandbox that is bubblewrap's first process inside,
 * which itself ignores signals; bubblewrap outside would end everything at once, without a grace period.
 */
function findLeaders({ leader, shell }: ProcessTree, isSandboxed: boolean): number[] {
  if (leader === null) return [];
  if (isSandboxed) return listChildren(leader);
  return shell === undefined ? [leader] : [shell, leader];
}

function terminate(leader: number): void {
  signalGroup(leader, "SIGTERM");
  // A stopped process would get the first signal only when it continues.
  signalGroup(leader, "SIGCONT");
}
