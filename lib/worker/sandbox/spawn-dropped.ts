import { spawn } from "node:child_process";
import { feedSecrets, secretPipes } from "../files/give-secrets";
import { RunFailure } from "../launch/run-failure";
import { type EntryProcess, whenSpawned } from "../launch/spawn-entry";
import type { LeaseSecret } from "../protocol";

type Options = {
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
  { env, cwd = "/", uid = null, gated = false, secrets = [] }: Options,
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
