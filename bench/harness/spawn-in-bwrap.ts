import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { RunLimits, RunTerms } from "@/lib/worker/protocol";
import { probeIsolation } from "@/lib/worker/sandbox/probe-isolation";
import { SANDBOX_HOME, sandboxCommand } from "@/lib/worker/sandbox/sandbox-command";
import { spawnSandboxed } from "@/lib/worker/sandbox/spawn-sandboxed";
import { createUidPool } from "@/lib/worker/sandbox/uid-pool";
import { type Executable, readAnswer } from "./spawn-directly";

export type SpawnInBwrap = (executable: Executable, args: unknown) => Promise<unknown>;

/** Runs executables in bubblewrap with the worker's own command line and nothing else around it; null where it cannot. */
export async function prepareBwrap(folder: string): Promise<SpawnInBwrap | null> {
  mkdirSync(folder, { recursive: true });
  const isolation = await probeIsolation(folder);
  if (isolation.kind === "none") return null;
  const uids = createUidPool(isolation.uids);
  const terms = RunTerms.parse({});
  const limits = RunLimits.parse({ timeoutMs: 30_000, stdoutBytes: 1024 ** 2, stderrBytes: 1024 ** 2 });
  return async ({ file, folder: skillDir }, args) => {
    const uid = uids.take();
    try {
      const command = sandboxCommand({ isolation, skillDir, entry: basename(file), terms, limits, uid });
      const env = { HOME: SANDBOX_HOME, TMPDIR: SANDBOX_HOME, SHLVL: "1" };
      const child = await spawnSandboxed(isolation, command, { env, uid, unixSockets: false });
      return await readAnswer(child, file, args);
    } finally {
      if (uid !== null) uids.giveBack(uid);
    }
  };
}
