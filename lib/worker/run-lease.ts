import { setImmediate as turn } from "node:timers/promises";
import { checkArgs } from "./check-args";
import { createRunDir } from "./create-run-dir";
import { describeEnd } from "./describe-end";
import { describeFailure } from "./describe-failure";
import type { EmitEvent } from "./emit-event";
import { loadBlob } from "./load-blob";
import { placeSkill } from "./place-skill";
import { prepareEntry } from "./prepare-entry";
import type { WorkDir } from "./prepare-work-dir";
import type { Lease, Outcome } from "./protocol";
import { removeRunDir } from "./remove-run-dir";
import { type EntryEnd, runEntry } from "./run-entry";
import type { Isolation } from "./sandbox/isolation";
import { SANDBOX_HOME } from "./sandbox/sandbox-command";
import type { UidPool } from "./sandbox/uid-pool";
import { shareSkill } from "./share-skill";
import { readStopReason } from "./stop-reason";
import { verifySkill } from "./verify-skill";

export type RunHost = {
  workDir: WorkDir;
  isolation: Isolation;
  uids: UidPool;
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
  let place: RunPlace | undefined;
  try {
    place = await (host.isolation.kind === "none" ? placeOnHost(lease, host) : placeForSandbox(lease, host));
    return describeEnd(await runIn(place, lease, host));
  } catch (failure) {
    return describeFailure(failure, startedAt, readStopReason(host.stop.signal));
  } finally {
    const leftover = place?.runDir;
    // Afterwards, so that the outcome does not wait for the disk.
    if (leftover) setImmediate(() => removeRunDir(leftover));
  }
}

type RunPlace = { skillDir: string; homeDir: string; runDir: string | null };

/** Mounted read-only, a version's files serve all its runs. */
async function placeForSandbox(lease: Lease, host: RunHost): Promise<RunPlace> {
  const skillDir = await shareSkill(lease, host.workDir.skillsDir, blobsOf(lease, host));
  return { skillDir, homeDir: SANDBOX_HOME, runDir: null };
}

/** Without a sandbox a run could change its files, so each has its own. */
async function placeOnHost(lease: Lease, host: RunHost): Promise<RunPlace> {
  host.emit("system", "This worker has no sandbox: the run is not isolated from the host.");
  const { path, skillDir, homeDir } = createRunDir(host.workDir.runsDir, lease);
  try {
    await placeSkill(lease.files, skillDir, blobsOf(lease, host));
    verifySkill(skillDir, lease.versionDigest);
    return { skillDir, homeDir, runDir: path };
  } catch (failure) {
    removeRunDir(path);
    throw failure;
  }
}

function blobsOf(lease: Lease, { workDir, fetchBlob, stop }: RunHost) {
  const fetch = (sha256: string) => fetchBlob(lease, sha256, stop.signal);
  return (file: Lease["files"][number]) => loadBlob(workDir.cacheDir, file, fetch);
}

async function runIn(place: RunPlace, lease: Lease, host: RunHost): Promise<EntryEnd> {
  const { isolation, uids, env, emit, stop } = host;
  checkArgs(lease);
  const uid = uids.take();
  try {
    const entry = prepareEntry(lease, { ...place, isolation, uid, env, emit });
    // A stop that came with the same answer as the lease is heard here, before anything is started.
    await turn();
    stop.signal.throwIfAborted();
    return await runEntry({ ...entry, runDir: place.runDir, args: lease.args, limits: lease.limits }, emit, stop);
  } finally {
    if (uid !== null) uids.giveBack(uid);
  }
}
