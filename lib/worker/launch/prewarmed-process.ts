import { statSync } from "node:fs";
import { join } from "node:path";
import { killTree } from "../processes/process-tree";
import type { Lease } from "../protocol";
import { buildEnv } from "../run/build-env";
import { readFirstLine } from "../run/check-entry";
import { prepareEntry } from "../run/prepare-entry";
import type { Bubblewrap } from "../sandbox/isolation";
import { filesOf } from "../sandbox/open-store";
import { SANDBOX_HOME, SANDBOX_SKILL } from "../sandbox/sandbox-command";
import type { EmitEvent } from "../stream-stderr";
import { type EntryProcess, type Launcher, hasNoGrants, type Prepared } from "./launcher";
import { barrierCommand } from "./start-barrier";

/**
 * The prewarmed launcher: a process whose sandbox is built and which waits for one run before the first line of the skill's own
 * code. It starts nothing but what it was made for. Arguments come on standard input, so nothing of a run is needed before;
 * `python3` takes 0.86 and `node` 0.65 of the time of a direct start (docs/figures.md).
 */
export interface PrewarmedProcess extends Launcher {
  pid: number;
  kind: "python" | "node" | "program";
  isAlive(): boolean;
  /** The directory it has mounted; another one of the same name is not it. */
  directory: string;
  /** Resolves once it waits, or has ended. */
  ready: Promise<void>;
  /** Lets it go on to its entry. */
  start(): Promise<EntryProcess>;
  /** Hands it to a run, whose output it is from now on. */
  handOver(emit: EmitEvent): Prepared & { waitedSinceMs: number };
  /** Ends it; resolves once nothing of it is left. */
  end(): Promise<void>;
}

export type PrewarmHost = {
  isolation: Bubblewrap;
  uid: number | null;
  /** Starts it in place of this process. */
  launcher?: Launcher | null;
  skillDir: string;
  env: Record<string, string | undefined>;
  nodeBarrier: string;
};

/** Starts a process that waits for a run of this pack. Throws RunFailure when it cannot be started. */
export async function prewarm(pack: Pack, host: PrewarmHost): Promise<PrewarmedProcess> {
  const { uid, skillDir, nodeBarrier } = host;
  let listener: EmitEvent | null = null;
  const at = barrierCommand(
    readFirstLine(join(filesOf(host.isolation, skillDir), pack.entry)),
    `${SANDBOX_SKILL}/${pack.entry}`,
    buildEnv(pack.env, host.env, SANDBOX_HOME),
  );
  const prepared = prepareEntry(pack, {
    ...host,
    homeDir: SANDBOX_HOME,
    uid,
    emit: (stream, text) => listener?.(stream, text),
    waits: { at, nodeBarrier },
  });
  const directory = identify(filesOf(host.isolation, skillDir));
  const startedMs = performance.now();
  const child = await prepared.start();
  const start = async () => {
    prepared.barrier?.()?.open();
    return child;
  };
  return {
    pid: child.pid,
    kind: at.kind,
    directory,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ready: prepared.barrier?.()?.notified ?? Promise.resolve(),
    start,
    handOver(emit) {
      listener = emit;
      return { ...prepared, start, waitedSinceMs: startedMs };
    },
    end: () => end(child, startedMs),
  };
}

/** Says which directory a path leads to now. */
export function identify(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev} ${ino}`;
}

async function end(child: EntryProcess, startedMs: number): Promise<void> {
  for (const stream of child.stdio) stream?.destroy();
  await killTree({ leader: child.pid, directory: null, startedMs });
}

/** What a waiting process is made from: the parts of a lease that two of its runs share. */
export type Pack = Pick<Lease, "versionDigest" | "entry" | "env" | "limits" | "terms"> & {
  /** What the server calls it. */
  id: string;
  key: string;
};

/**
 * The pack of a lease whose next process may wait for its run; null when it may not. What a decision opened is set up for
 * each run alone, since it may look different by then: paths, a network, host namespaces, capabilities; and credentials
 * and workspaces come with the run. The key holds all that shapes the process, also the values of its environment, so
 * that a process is only ever taken by a run whose own would be the same.
 */
export function packOf(lease: Lease, env: Record<string, string | undefined>): Pack | null {
  const { warm, versionDigest, entry, limits, terms } = lease;
  // The arguments of a script are its own.
  if (!warm || !hasNoGrants(lease) || lease.call !== undefined) return null;
  const key = JSON.stringify([warm, versionDigest, entry, limits, terms, buildEnv(lease.env, env, SANDBOX_HOME)]);
  return { id: warm, key, versionDigest, entry, limits, terms, env: lease.env };
}
