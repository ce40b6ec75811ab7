import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { feedSecrets, secretPipes } from "../files/give-secrets";
import { RunFailure } from "../launch/run-failure";
import { type EntryProcess, whenSpawned } from "../launch/spawn-entry";
import type { LeaseSecret } from "../protocol";
import type { Bubblewrap } from "./claim-uids";

type Options = {
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
  { env, uid, unixSockets, gated = false, tells = false, waits = false, secrets = [] }: Options,
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
