import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { findProgram } from "@/lib/core/find-program";
import { SyncFailure } from "../sync-failure";

/** How a command of git ended, when not with 0. `stderr` holds its last bytes. */
export class GitFailed extends Error {
  readonly stderr: string;
  readonly isLate: boolean;

  constructor(stderr: string, { isLate = false } = {}) {
    super(`git failed: ${stderr.slice(-300)}`);
    this.name = "GitFailed";
    this.stderr = stderr;
    this.isLate = isLate;
  }
}

export type GitCommand = {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** After this time the command and all it started are killed. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

export type RunningGit = {
  stdin: Writable;
  stdout: Readable;
  /** Rejects with `GitFailed`, with `git_missing`, or with the reason of the signal. */
  done: Promise<void>;
  kill(): void;
};

const KEPT_STDERR = 8 * 1024;
const NOT_FOUND = 127;
/** A program that is killed by its limits answers with this: memory in KiB, size of a file in blocks of 512 or 1024 bytes. */
const LIMITS = "ulimit -c 0; ulimit -v 4194304; ulimit -f 8388608";

/** Starts git in a process group of its own, with limits for its memory and for each of its files. */
export function startGit({ args, env, cwd, timeoutMs, signal }: GitCommand): RunningGit {
  signal?.throwIfAborted();
  const git = requireGit();
  // The shell sets the limits that the system knows and becomes git; arguments are never part of its text.
  const script = `{ ${LIMITS}; } 2>/dev/null; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", script, git, ...args], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  let isLate = false;
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener("abort", kill, { once: true });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  // git ends early when it needs no more of its input.
  child.stdin.on("error", () => undefined);
  const done = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(missing(error.message)));
    child.once("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      // Programs that git started, such as ssh, may outlive it.
      kill();
      if (signal?.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else if (code === NOT_FOUND) reject(missing(stderr));
      else reject(new GitFailed(stderr, { isLate }));
    });
  });
  done.catch(() => undefined);
  return { stdin: child.stdin, stdout: child.stdout, done, kill };
}

/** Runs git to its end and returns its output, which may have `maxBytes`. Throws as `startGit`, and `too_large`. */
export async function runGit(command: GitCommand & { input?: string; maxBytes?: number }): Promise<string> {
  const { input = "", maxBytes = 64 * 1024 * 1024 } = command;
  const git = startGit(command);
  git.stdin.end(input);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of git.stdout) {
    length += (part as Buffer).length;
    if (length > maxBytes) {
      git.kill();
      throw new SyncFailure("too_large", `The answer of the repository is too large: the limit is ${maxBytes} bytes.`);
    }
    parts.push(part as Buffer);
  }
  await git.done;
  return Buffer.concat(parts).toString("utf8");
}

function requireGit(): string {
  const git = findProgram("git");
  if (git === null) throw missing("no program of this name in /usr/bin, /bin or /usr/local/bin");
  return git;
}

function missing(reason: string): SyncFailure {
  return new SyncFailure(
    "git_missing",
    `This server has no git, which sources of this kind need (${reason.trim().slice(0, 120)}). Install git 2.31 or newer on the server, then sync again.`,
  );
}
