import { setImmediate as turn } from "node:timers/promises";
import { buildEnv } from "./build-env";
import { checkArgs } from "./check-args";
import { checkEntry } from "./check-entry";
import { createRunDir, type RunDir } from "./create-run-dir";
import { describeEnd } from "./describe-end";
import { describeFailure } from "./describe-failure";
import type { EmitEvent } from "./emit-event";
import { loadBlob } from "./load-blob";
import { placeSkill } from "./place-skill";
import type { WorkDir } from "./prepare-work-dir";
import type { Lease, Outcome } from "./protocol";
import { removeRunDir } from "./remove-run-dir";
import { type EntryEnd, runEntry } from "./run-entry";
import { readStopReason } from "./stop-reason";
import { verifySkill } from "./verify-skill";

export type RunHost = {
  workDir: WorkDir;
  /** Where granted variables are taken from. */
  env: Record<string, string | undefined>;
  fetchBlob: (lease: Lease, sha256: string, signal: AbortSignal) => Promise<Uint8Array>;
  emit: EmitEvent;
  /** Aborted with a StopReason to end the run; the run aborts it itself at a limit. */
  stop: AbortController;
};

/**
 * Executes one lease: places the approved bytes, verifies them on disk, checks arguments and entry, runs the entry, and
 * removes what it used soon after. Never throws; every failure is an outcome.
 */
export async function runLease(lease: Lease, host: RunHost): Promise<Outcome> {
  const startedAt = new Date();
  let runDir: RunDir | undefined;
  try {
    host.emit("system", "This worker has no sandbox: the run is not isolated from the host.");
    runDir = createRunDir(host.workDir.runsDir, lease);
    return describeEnd(await runInside(runDir, lease, host));
  } catch (failure) {
    return describeFailure(failure, startedAt, readStopReason(host.stop.signal));
  } finally {
    const leftover = runDir?.path;
    // Afterwards, so that the outcome does not wait for the disk.
    if (leftover) setImmediate(() => removeRunDir(leftover));
  }
}

async function runInside(
  runDir: RunDir,
  lease: Lease,
  { workDir, env, fetchBlob, emit, stop }: RunHost,
): Promise<EntryEnd> {
  const { signal } = stop;
  const fetch = (sha256: string) => fetchBlob(lease, sha256, signal);
  await placeSkill(lease.files, runDir.skillDir, (file) => loadBlob(workDir.cacheDir, file, fetch));
  verifySkill(runDir.skillDir, lease.versionDigest);
  checkArgs(lease);
  const launch = {
    entryPath: checkEntry(runDir.skillDir, lease.entry),
    skillDir: runDir.skillDir,
    runDir: runDir.path,
    env: buildEnv(lease.env, env, runDir.homeDir),
    args: lease.args,
    limits: lease.limits,
  };
  // A stop that came with the same answer as the lease is heard here, before anything is started.
  await turn();
  signal.throwIfAborted();
  return runEntry(launch, emit, stop);
}
