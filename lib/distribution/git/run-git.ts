import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { AppError } from "@/lib/core/errors";
import { findProgram } from "@/lib/core/find-program";

const STDERR_CHARACTERS = 4096;
/** Only an operator can install git, so clients need not retry soon. */
const RETRY_WITHOUT_GIT_SECONDS = 300;

export type GitProcess = {
  child: ChildProcessWithoutNullStreams;
  stderr(): string;
};

type GitCall = {
  args: readonly string[];
  folder: string;
  timeoutMs: number;
  protocol?: string | undefined;
};

/**
 * Starts the system's git on a repository of ours, without this process's environment and with no configuration but the
 * repository's own. Kills it after `timeoutMs`. Throws `unavailable` without git.
 */
export function startGit({ args, folder, timeoutMs, protocol }: GitCall): GitProcess {
  const program = findProgram("git");
  if (program === null) {
    throw new AppError(
      "unavailable",
      "The program git is not installed on the server. Ask its operator to install it, or use another way to install skills.",
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
  return { child, stderr: () => text };
}

/** Resolves when git exits with 0; else rejects with its stderr. */
export async function endOf({ child, stderr }: GitProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`git ended with ${code ?? signal}: ${stderr()}`));
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
    // The data directory may belong to another user.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
  if (protocol !== undefined) env.GIT_PROTOCOL = protocol;
  return env as NodeJS.ProcessEnv;
}
