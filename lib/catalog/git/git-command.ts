import { spawn } from "node:child_process";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import { SyncFailure } from "@/lib/catalog/sync-failure";
import { findProgram } from "@/lib/core/find-program";

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

type GitCommand = {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** After this time the command and all it started are killed. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

type RunningGit = {
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

/** Settings of git for one repository of a source, as `GIT_CONFIG_*` variables: nothing of them is written to the disk. */
export type GitSettings = Record<string, string>;

/**
 * What git may never do, under any setting of the machine or the repository: run hooks, filters, monitors, helpers and maintenance, follow
 * redirects, ask for a password, or speak a protocol but that of the source (git-config(1), git(1)).
 */
const CLOSED: GitSettings = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.askPass": "",
  "credential.helper": "",
  "credential.interactive": "false",
  "protocol.allow": "never",
  "protocol.version": "2",
  "http.followRedirects": "false",
  "http.sslVerify": "true",
  "http.emptyAuth": "false",
  "http.delegation": "none",
  "transfer.bundleURI": "false",
  "transfer.unpackLimit": "1",
  "fetch.recurseSubmodules": "false",
  "fetch.writeCommitGraph": "false",
  // Nothing is known that the other side could leave out.
  "fetch.negotiationAlgorithm": "noop",
  "submodule.recurse": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  // Bounds of memory while a pack is read.
  "core.bigFileThreshold": "16m",
  "core.packedGitWindowSize": "32m",
  "core.packedGitLimit": "256m",
  "core.deltaBaseCacheLimit": "64m",
  "pack.threads": "2",
};

const NEEDED_VERSION = [2, 31] as const;

/** Whether this git reads settings from variables, without which it would run with those of the machine. */
export function isSupported(version: string): boolean {
  const [, major = "0", minor = "0"] = /^git version (\d+)\.(\d+)/.exec(version) ?? [];
  const [neededMajor, neededMinor] = NEEDED_VERSION;
  return Number(major) > neededMajor || (Number(major) === neededMajor && Number(minor) >= neededMinor);
}

/** The whole environment of git: nothing of this process reaches it. `home` is an empty folder of its own. */
export function gitEnvironment(
  home: string,
  settings: GitSettings,
  options: { scheme: string; ssh?: string },
): Record<string, string> {
  const all = { ...CLOSED, [`protocol.${options.scheme}.allow`]: "always", ...settings };
  const config = Object.entries(all).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: home,
    // A repository around the folder would bring settings of its own.
    GIT_CEILING_DIRECTORIES: dirname(home),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_ALLOW_PROTOCOL: options.scheme,
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_SSH_VARIANT: "ssh",
    GIT_SSH_COMMAND: options.ssh ?? "false",
    GIT_CONFIG_COUNT: String(Object.keys(all).length),
    ...Object.fromEntries(config),
  };
}
