import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { WORKER_NODE } from "@/lib/skill-format/entry/script-interpreter";
import type { Bubblewrap } from "@/lib/worker/sandbox/isolation";
import { feedSecrets, secretPipes } from "../files/give-secrets";
import type { LeaseSecret } from "../protocol";
import { RunFailure } from "../run/run-failure";

/** What is needed of a child process. */
export interface EntryProcess {
  readonly pid: number;
  /** A shell in whose session and process group it is; left out where it leads its own. */
  readonly shell?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Streams by descriptor. */
  readonly stdio: readonly (Readable | Writable | null | undefined)[];
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  /** `exit` when it has ended, `close` when nothing more can come from its streams either. */
  once(event: "exit" | "close", listener: (code: number | null) => void): unknown;
}

export const SANDBOX_NODE = WORKER_NODE;

export type Launch = {
  /** Absolute path of the executable. */
  entryPath: string;
  /** The skill's files; the working directory of the run. */
  skillDir: string;
  env: Record<string, string>;
  /** A script of a decision: the interpreter, the script and its arguments. */
  words?: string[] | null;
};

/**
 * Starts an entry without a shell, and without arguments unless a decision says how it is called, leading its own session and process group. Throws RunFailure
 * `spawn_failed`, naming the interpreter when that is what is missing.
 */
export async function spawnEntry({ entryPath, skillDir, env, words = null }: Launch): Promise<EntryProcess> {
  try {
    const [program = "", ...args] = words ?? entryCommand(entryPath, process.execPath);
    const child = spawn(program, args, {
      cwd: skillDir,
      // The type asks for NODE_ENV, which Next adds to it; a run gets nothing that was not granted.
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    return await whenSpawned(child);
  } catch (cause) {
    throw new RunFailure("spawn_failed", explainSpawn(cause as NodeJS.ErrnoException, entryPath), { cause });
  }
}

/** How an entry is started where nothing is mounted: by itself, or with this Node when it asks for SANDBOX_NODE. */
export function entryCommand(entryPath: string, node: string): string[] {
  const isForNode = readFirstLine(entryPath).replace(/\r$/, "") === `#!${SANDBOX_NODE}`;
  return isForNode ? [node, entryPath] : [entryPath];
}

/** The child once it runs; rejects when it cannot. */
export async function whenSpawned(child: ChildProcess): Promise<EntryProcess> {
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", resolve);
  });
  // A later error (a signal that could not be sent) must not end the worker; what became of the run is seen at its exit.
  child.on("error", () => {});
  return child as EntryProcess;
}

function explainSpawn(error: NodeJS.ErrnoException, entryPath: string): string {
  const firstLine = readFirstLine(entryPath);
  const interpreter = /^#!\s*(\S+)/.exec(firstLine)?.[1];
  if (error.code === "ENOENT" && interpreter) {
    const hint = firstLine.endsWith("\r") ? "; the line ends with a carriage return" : "";
    return `The interpreter ${interpreter} named in the entry's first line does not exist on this worker${hint}.`;
  }
  if (error.code === "ENOEXEC")
    return "The entry is neither a program for this system nor a script that starts with #!.";
  return `The entry could not be started: ${error.code ?? error.message}.`;
}

/** At most 256 bytes, as latin1. */
export function readFirstLine(path: string): string {
  const bytes = Buffer.alloc(256);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1", 0, length).split("\n", 1)[0] ?? "";
  } finally {
    closeSync(file);
  }
}

type SandboxOptions = {
  /** The whole environment of the run. */
  env: Record<string, string>;
  uid: number | null;
  unixSockets: boolean;
  /** With two more pipes, see GATE. */
  gated?: boolean;
  /** With a pipe on which the sandbox tells that it is built. */
  tells?: boolean;
  /** With one more, on which it waits for its run. */
  waits?: boolean;
  /** Credentials that it gets as files. */
  secrets?: LeaseSecret[];
};

/**
 * Starts bubblewrap with a command line of `sandboxCommand`, under the run's own user id. A run with capabilities starts
 * as root, since root has to build it; it drops to the id inside. Throws RunFailure `spawn_failed`.
 */
export async function spawnSandboxed(
  { program, seccomp, store }: Bubblewrap,
  command: string[],
  { env, uid, unixSockets, gated = false, tells = false, waits = false, secrets = [] }: SandboxOptions,
): Promise<EntryProcess> {
  const dropsInside = command.includes("CAP_SETPCAP");
  const filter = seccomp ? openSync(unixSockets ? seccomp.unixSockets : seccomp.plain, "r") : null;
  const pipes = Array<"pipe">(gated || waits ? 2 : tells ? 1 : 0).fill("pipe");
  try {
    const own = uid === null || dropsInside ? null : uid;
    const [first = "", ...words] = store ? store.enter([program, ...command], own) : [program, ...command];
    const child = spawn(first, words, {
      cwd: "/",
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", filter ?? "ignore", ...pipes, ...secretPipes(secrets, 4 + pipes.length)],
      ...(own === null || store ? {} : { uid: own, gid: own }),
    });
    const started = await whenSpawned(child);
    feedSecrets(started, secrets);
    return started;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new RunFailure("spawn_failed", `The sandbox could not be started: ${reason}.`, { cause });
  } finally {
    if (filter !== null) closeSync(filter);
  }
}

type DroppedOptions = {
  /** The whole environment of the run. */
  env: Record<string, string>;
  cwd?: string;
  /** Takes this id at once; otherwise the command drops to one itself. */
  uid?: number | null;
  /** With two more pipes, see GATE. */
  gated?: boolean;
  /** Credentials that it gets as files. */
  secrets?: LeaseSecret[];
};

/** Starts a command of `unshareCommand` or `userCommand`, leading its own group. Throws RunFailure `spawn_failed`. */
export async function spawnDropped(
  [program = "", ...args]: string[],
  { env, cwd = "/", uid = null, gated = false, secrets = [] }: DroppedOptions,
): Promise<EntryProcess> {
  const gate = Array<"pipe">(gated ? 2 : 0).fill("pipe");
  try {
    const child = spawn(program, args, {
      cwd,
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "ignore", ...gate, ...secretPipes(secrets, 4 + gate.length)],
      ...(uid === null ? {} : { uid, gid: uid }),
    });
    const started = await whenSpawned(child);
    feedSecrets(started, secrets);
    return started;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new RunFailure("spawn_failed", `The run could not be started as a user of its own: ${reason}.`, { cause });
  }
}
