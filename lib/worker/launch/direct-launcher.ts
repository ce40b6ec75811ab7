import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { feedSecrets, secretPipes } from "../files/pass-secrets";
import { entryCommand, readFirstLine } from "../run/entry-command";
import { RunFailure } from "../run/run-failure";
import type { Bubblewrap } from "../sandbox/isolation";
import type { EntryProcess, LaunchCommand } from "./launcher";

/**
 * The direct launcher starts a child of this process; it can start every command. Node forks for it, which takes 1 ms of
 * processor time for each 30 MiB that the worker has written to. The child leads its own session and process group.
 * Throws RunFailure `spawn_failed`.
 */
export async function startDirectly({
  words,
  env,
  cwd = "/",
  uid = null,
  filter,
  pipes = 0,
  store = null,
  secrets = [],
  explain,
}: LaunchCommand): Promise<EntryProcess> {
  const opened = filter ? openSync(filter, "r") : null;
  const third = filter === undefined ? [] : [opened ?? ("ignore" as const)];
  try {
    const [program = "", ...args] = store ? store.enter(words, uid) : words;
    const child = spawn(program, args, {
      cwd,
      // The type requires NODE_ENV because Next adds it; a run gets only the variables that were granted.
      env: env as NodeJS.ProcessEnv,
      detached: true,
      stdio: [
        ...["pipe" as const, "pipe" as const, "pipe" as const],
        ...third,
        ...Array<"pipe">(pipes).fill("pipe"),
        ...secretPipes(secrets, 4 + pipes),
      ],
      ...(uid === null || store ? {} : { uid, gid: uid }),
    });
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("spawn", resolve);
    });
    // A later error (a signal that could not be sent) must not end the worker; the exit event reports how the run ended.
    child.on("error", () => {});
    const started = child as unknown as EntryProcess;
    feedSecrets(started, secrets);
    return started;
  } catch (cause) {
    throw new RunFailure("spawn_failed", explain(cause as NodeJS.ErrnoException), { cause });
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/** The command of an entry without a sandbox. If it cannot be started, the error names the missing interpreter. */
export function entryLaunch(
  entryPath: string,
  { words = null, ...rest }: Pick<LaunchCommand, "env" | "cwd"> & { words?: string[] | null },
): LaunchCommand {
  const explain = (error: NodeJS.ErrnoException) => explainEntry(error, readFirstLine(entryPath));
  return { ...rest, words: words ?? entryCommand(entryPath, process.execPath), explain };
}

function explainEntry({ code, message }: NodeJS.ErrnoException, firstLine: string): string {
  const interpreter = /^#!\s*(\S+)/.exec(firstLine)?.[1];
  if (code === "ENOENT" && interpreter) {
    const hint = firstLine.endsWith("\r") ? "; the line ends with a carriage return" : "";
    return `The interpreter ${interpreter} named in the entry's first line does not exist on this worker${hint}.`;
  }
  if (code === "ENOEXEC") return "The entry is neither a program for this system nor a script that starts with #!.";
  return `The entry could not be started: ${code ?? message}.`;
}

/**
 * A bubblewrap command with arguments of `sandboxCommand`. `uid` is the user id it starts with: the run's own, or null for
 * a run with capabilities, which root sets up and which drops to its id inside. `unixSockets` selects the filter that
 * allows them.
 */
export function bubblewrapLaunch(
  { program, seccomp, store = null }: Bubblewrap,
  args: string[],
  { uid, unixSockets = false, ...rest }: Pick<LaunchCommand, "env" | "pipes" | "secrets"> & SandboxUser,
): LaunchCommand {
  return {
    ...rest,
    words: [program, ...args],
    uid,
    filter: seccomp && (unixSockets ? seccomp.unixSockets : seccomp.plain),
    store,
    explain: ({ code, message }) => `The sandbox could not be started: ${code ?? message}.`,
  };
}

type SandboxUser = { uid: number | null; unixSockets?: boolean };

export function droppingLaunch(
  words: string[],
  rest: Omit<LaunchCommand, "words" | "filter" | "explain">,
): LaunchCommand {
  const explain = ({ code, message }: NodeJS.ErrnoException) =>
    `The run could not be started as a user of its own: ${code ?? message}.`;
  return { ...rest, words, filter: null, explain };
}
