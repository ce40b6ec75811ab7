import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import { RunFailure } from "./run-failure";

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
    throw new RunFailure("spawn_failed", explain(cause as NodeJS.ErrnoException, entryPath), { cause });
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

function explain(error: NodeJS.ErrnoException, entryPath: string): string {
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
