import { mkdtempSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { createRedactor, type Redactor } from "@/lib/core/redact/create-redactor";
import { validateArgs } from "@/lib/skill-format/arguments/validate-args";
import { type Admitted, admitRun } from "../access/admit-run";
import { type HostAccess, hidesHost } from "../access/host-access";
import { openWorkspace, touchWorkspace, type Workspace } from "../files/open-workspace";
import { loadBlob, placeSkill, shareSkill, storeSkill, verifySkill } from "../files/place-skill";
import {
  createRunDir,
  homeFor,
  type PlacedDir,
  type RunDirPool,
  removeRunDir,
  removeRunDirBeside,
  stampOf,
} from "../files/run-dirs";
import type { WorkDir } from "../files/work-dir";
import { hasNoGrants } from "../launch/launcher";
import type { PreforkedPool } from "../launch/preforked-pool";
import type { PrewarmedPool } from "../launch/prewarmed-pool";
import { type Pack, packOf } from "../launch/prewarmed-process";
import { removeFilesOf, type UidPool } from "../processes/user-ids";
import type { Lease, Outcome } from "../protocol";
import type { Isolation } from "../sandbox/isolation";
import { SANDBOX_HOME } from "../sandbox/sandbox-command";
import type { EmitEvent } from "../stream-stderr";
import { describeEnd, limitMessage } from "./describe-end";
import { stdinOf } from "./entry-command";
import { prepareEntry } from "./prepare-entry";
import { type EntryEnd, runEntry } from "./run-entry";
import { RunFailure, readStopReason, type StopReason } from "./run-failure";

const MAX_SHOWN = 5;

export type RunHost = {
  workDir: WorkDir;
  isolation: Isolation;
  access: HostAccess;
  uids: UidPool;
  env: Record<string, string | undefined>;
  fetchBlob: (lease: Lease, sha256: string, signal: AbortSignal) => Promise<Uint8Array>;
  emit: EmitEvent;
  warm: PrewarmedPool | null;
  preforked?: PreforkedPool | null;
  runDirs?: RunDirPool;
  /** Aborted with a StopReason to end the run; also by the run itself at a limit. */
  stop: AbortController;
};

/**
 * Executes one lease: checks it against what the operator allows, places the approved bytes and verifies them on disk, checks
 * arguments and entry, runs the entry, and removes its files soon after. Never throws; every failure is an outcome.
 */
export async function runLease(lease: Lease, given: RunHost): Promise<Outcome> {
  const startedAt = new Date();
  const acceptedMs = performance.now();
  const redactor = createRedactor(lease.secrets);
  const host = redactor === null ? given : { ...given, emit: redactSystem(given.emit, redactor) };
  let place: RunPlace | undefined;
  try {
    const admitted = await admitRun(lease, host);
    place = await PLACES[host.isolation.kind](lease, host);
    return describeEnd(await runIn({ ...place, admitted }, lease, host, redactor, acceptedMs), redactor, lease.output);
  } catch (failure) {
    return redactFailure(describeFailure(failure, startedAt, readStopReason(host.stop.signal)), redactor);
  } finally {
    // Later, so that the outcome does not wait for the disk.
    if (place?.leave) setImmediate(place.leave);
  }
}

type RunPlace = {
  skillDir: string;
  homeDir: string;
  runDir: string | null;
  leave?: () => void;
};

/** Read-only files of a version are shared by all its runs. */
async function placeForSandbox(lease: Lease, host: RunHost): Promise<RunPlace> {
  const { isolation, workDir } = host;
  const store = (hidesHost(isolation) && isolation.store) || null;
  if (store !== null) {
    const { skillDir, leave } = await storeSkill(lease, store, blobsOf(lease, host));
    return { skillDir, homeDir: SANDBOX_HOME, runDir: null, leave };
  }
  const skillDir = await shareSkill(lease, workDir.skillsDir, blobsOf(lease, host));
  return { skillDir, homeDir: SANDBOX_HOME, runDir: null };
}

/** The run sees all of the host, but owns and can change none of its own skill files; its home is made at its start. */
async function placeForUser(lease: Lease, host: RunHost): Promise<RunPlace> {
  host.emit(
    "system",
    "This worker has no sandbox: the run has a user id of its own, and access to the network and the files of the host.",
  );
  const homeDir = homeFor(lease, host.workDir.skillsDir);
  const skillDir = mkdtempSync(`${homeDir}-skill-`);
  const leave = () => {
    for (const dir of [homeDir, skillDir]) void removeRunDirBeside(dir);
  };
  try {
    await placeSkill(lease.files, skillDir, blobsOf(lease, host));
    verifySkill(skillDir, lease.versionDigest);
  } catch (failure) {
    leave();
    throw failure;
  }
  return { skillDir, homeDir, runDir: homeDir, leave };
}

/** Without a sandbox a run could change its files, so it gets its own; an unchanged directory is reused by the next run. */
async function placeOnHost(lease: Lease, host: RunHost): Promise<RunPlace> {
  host.emit("system", "This worker has no sandbox: the run is not isolated from the host.");
  const placed = host.runDirs?.acquire(lease.versionDigest) ?? (await makeRunDir(lease, host));
  const { path, skillDir, homeDir } = placed;
  try {
    verifySkill(skillDir, lease.versionDigest);
  } catch (failure) {
    removeRunDir(path);
    throw failure;
  }
  const leave = () => void (host.runDirs ? host.runDirs.release(placed) : removeRunDirBeside(path));
  return { skillDir, homeDir, runDir: path, leave };
}

async function makeRunDir(lease: Lease, host: RunHost): Promise<PlacedDir> {
  const dir = createRunDir(host.workDir.runsDir, lease);
  try {
    await placeSkill(lease.files, dir.skillDir, blobsOf(lease, host));
    return { ...dir, versionDigest: lease.versionDigest, stamp: stampOf(dir.path) };
  } catch (failure) {
    removeRunDir(dir.path);
    throw failure;
  }
}

const PLACES = {
  bubblewrap: placeForSandbox,
  unshare: placeForSandbox,
  user: placeForUser,
  none: placeOnHost,
} as const;

function blobsOf(lease: Lease, { workDir, fetchBlob, stop }: RunHost) {
  const fetch = (sha256: string) => fetchBlob(lease, sha256, stop.signal);
  return (file: Lease["files"][number]) => loadBlob(workDir.cacheDir, file, fetch);
}

async function runIn(
  place: RunPlace & { admitted: Admitted },
  lease: Lease,
  host: RunHost,
  redactor: Redactor | null,
  acceptedMs: number,
): Promise<EntryEnd> {
  const { isolation, uids, emit, stop } = host;
  checkArgs(lease);
  // A cancellation that arrived with the lease takes effect here, before anything is started.
  await turn();
  stop.signal.throwIfAborted();
  const warm = findWarm(lease, host);
  const waiting = warm?.pool.acquire(warm.pack, place.skillDir) ?? null;
  const workspace = workspaceOf(lease, host);
  const launcher = waiting ? waiting.launcher : (hasNoGrants(lease) && host.preforked?.acquire()) || null;
  const uid = (waiting ?? workspace ?? launcher ?? { uid: uids.acquire() }).uid;
  let end: EntryEnd | null = null;
  try {
    const entry = waiting
      ? waiting.process.handOver(emit)
      : prepareEntry(capped(lease, workspace), { ...host, ...place, workspace, uid, launcher });
    warm?.pool.begin(warm.pack);
    const { limits } = lease;
    const stdin = stdinOf(lease);
    end = await runEntry({ ...entry, runDir: place.runDir, stdin, limits, redactor, acceptedMs }, emit, stop);
    return end;
  } finally {
    if (workspace) touchWorkspace(workspace);
    else if (launcher) host.preforked?.release(launcher);
    else if (uid !== null) {
      if (isolation.kind === "user") removeFilesOf(uid);
      uids.release(uid);
    }
    if (end !== null) warm?.pool.end(warm.pack, place.skillDir);
  }
}

function workspaceOf({ workspace: id, limits }: Lease, { workDir, isolation, emit }: RunHost): Workspace | null {
  if (!id) return null;
  const hasUids = isolation.kind !== "none" && isolation.uids !== null;
  const workspace = openWorkspace(workDir.workspacesDir, id, { hasUids, maxBytes: limits.diskBytes });
  if (workspace.isFull) {
    const mib = Math.round(limits.diskBytes / 1024 ** 2);
    emit("system", `The workspace holds more than ${mib} MiB: this run can remove files, and write none.`);
  }
  return workspace;
}

/** In a full workspace files can be removed, but none can grow beyond a block. */
function capped(lease: Lease, workspace: Workspace | null): Lease {
  return workspace?.isFull ? { ...lease, limits: { ...lease.limits, fileBytes: 512 } } : lease;
}

function findWarm(lease: Lease, { warm, env }: RunHost): { pool: PrewarmedPool; pack: Pack } | null {
  const pack = warm && packOf(lease, env);
  return warm && pack ? { pool: warm, pack } : null;
}

/** Throws RunFailure `invalid_args`, naming the first five problems, when the arguments do not match the lease's schema. */
function checkArgs({ schema, args }: Pick<Lease, "schema" | "args">): void {
  const problems = validateArgs(schema, args);
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_SHOWN).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = problems.length > MAX_SHOWN ? ` (and ${problems.length - MAX_SHOWN} more)` : "";
  throw new RunFailure("invalid_args", shown.join("; ") + more);
}

/** The worker's own messages may quote what the run tried, such as an address. The run's stderr is redacted elsewhere. */
function redactSystem(emit: EmitEvent, redactor: Redactor): EmitEvent {
  return (stream, text) => emit(stream, stream === "system" ? redactor.text(text) : text);
}

function redactFailure(outcome: Outcome, redactor: Redactor | null): Outcome {
  if (redactor === null || outcome.error === null) return outcome;
  return { ...outcome, error: { ...outcome.error, message: redactor.text(outcome.error.message) } };
}

/** The outcome of a run whose entry was never started, because it was stopped first or could not be prepared. */
function describeFailure(failure: unknown, startedAt: Date, stopReason: StopReason | null): Outcome {
  const finishedAt = new Date();
  return {
    error: stopReason ? { code: stopReason.code, message: limitMessage(stopReason.message) } : explain(failure),
    exitCode: null,
    signal: null,
    timedOut: false,
    truncated: false,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: Math.max(0, finishedAt.getTime() - startedAt.getTime()),
    rawOutput: null,
  };
}

function explain(failure: unknown): NonNullable<Outcome["error"]> {
  if (failure instanceof RunFailure) return { code: failure.code, message: limitMessage(failure.message) };
  const cause = failure instanceof Error ? failure.message : String(failure);
  return { code: "spawn_failed", message: limitMessage(`The worker could not prepare the run: ${cause}`) };
}
