import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { AppError } from "@/lib/core/errors";
import { findProgram } from "@/lib/core/find-program";

const STDERR_CHARACTERS = 4096;
/** A program does not appear by itself, but somebody may install it. */
const RETRY_WITHOUT_GIT_SECONDS = 300;

export type GitProcess = {
  child: ChildProcessWithoutNullStreams;
  /** What it said on stderr so far, cut after a few KiB. */
  complaints(): string;
};

type GitCall = {
  args: readonly string[];
  /** The bare repository it works on. */
  folder: string;
  timeoutMs: number;
  /** Of the `Git-Protocol` header. */
  protocol?: string | undefined;
};

/**
 * Starts the system's git on a repository of ours, with nothing of this process's environment and no configuration but the
 * repository's own. It is killed after `timeoutMs`. `unavailable` where the machine has no git.
 */
export function startGit({ args, folder, timeoutMs, protocol }: GitCall): GitProcess {
  const program = findProgram("git");
  if (program === null) {
    throw new AppError(
      "unavailable",
      "The git address needs the program git on the server, and there is none. Its operator can install it, or use another address.",
      { retryAfterSeconds: RETRY_WITHOUT_GIT_SECONDS },
    );
  }
  const child = spawn(program, [...args], {
    cwd: folder,
    env: environment(folder, protocol),
    stdio: "pipe",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < STDERR_CHARACTERS) text = (text + chunk).slice(0, STDERR_CHARACTERS);
  });
  return { child, complaints: () => text };
}

/** Resolves when it ended well; rejects with what it complained of otherwise. */
export async function endOf({ child, complaints }: GitProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`git ended with ${code ?? signal}: ${complaints()}`));
    });
  });
}

function environment(folder: string, protocol: string | undefined): NodeJS.ProcessEnv {
  const env: Record<string, string> = {
    PATH: "/usr/bin:/bin",
    LC_ALL: "C",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    // The data directory may belong to another user than the one this process runs as.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  if (protocol !== undefined) env.GIT_PROTOCOL = protocol;
  return env as NodeJS.ProcessEnv;
}
