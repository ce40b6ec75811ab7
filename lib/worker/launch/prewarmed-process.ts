import { statSync } from "node:fs";
import { join } from "node:path";
import { killTree } from "../processes/process-tree";
import type { Lease } from "../protocol";
import { readFirstLine } from "../run/entry-command";
import { buildEnv, prepareEntry } from "../run/prepare-entry";
import type { Bubblewrap } from "../sandbox/isolation";
import { filesOf } from "../sandbox/open-store";
import { SANDBOX_HOME, SANDBOX_SKILL } from "../sandbox/sandbox-command";
import type { EmitEvent } from "../stream-stderr";
import { type EntryProcess, hasNoGrants, type Launcher, type Prepared } from "./launcher";
import { barrierCommand } from "./start-barrier";

/**
 * The prewarmed launcher: a process whose sandbox is built and which waits for one run before the first line of the skill's
 * own code. It can start only the pack it was made for. Arguments arrive on standard input, so it needs nothing of a run in
 * advance; `python3` takes 0.86 and `node` 0.65 of the time of a direct start (docs/figures.md).
 */
export interface PrewarmedProcess extends Launcher {
  pid: number;
  kind: "python" | "node" | "program";
  isAlive(): boolean;
  /** Device and inode of the mounted directory; a new directory of the same name differs. */
  directory: string;
  ready: Promise<void>;
  start(): Promise<EntryProcess>;
  /** Assigns it to a run, which receives its output from now on. */
  handOver(emit: EmitEvent): Prepared & { waitedSinceMs: number };
  end(): Promise<void>;
}

export type PrewarmHost = {
  isolation: Bubblewrap;
  uid: number | null;
  launcher?: Launcher | null;
  skillDir: string;
  env: Record<string, string | undefined>;
  nodeBarrier: string;
};

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

export function identify(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev} ${ino}`;
}

async function end(child: EntryProcess, startedMs: number): Promise<void> {
  for (const stream of child.stdio) stream?.destroy();
  await killTree({ leader: child.pid, directory: null, startedMs });
}

/** The parts of a lease that a waiting process is built from. */
export type Pack = Pick<Lease, "versionDigest" | "entry" | "env" | "limits" | "terms"> & {
  id: string;
  key: string;
};

/**
 * The pack of a lease, if a process may be prewarmed for it; else null. Grants (paths, a network, host namespaces,
 * capabilities) are set up for each run, because they may change; credentials and workspaces arrive with the run. The key
 * contains all that shapes the process, including the values of its environment, so that a run only gets a process equal to
 * its own.
 */
export function packOf(lease: Lease, env: Record<string, string | undefined>): Pack | null {
  const { warm, versionDigest, entry, limits, terms } = lease;
  if (!warm || !hasNoGrants(lease) || lease.call !== undefined) return null;
  const key = JSON.stringify([warm, versionDigest, entry, limits, terms, buildEnv(lease.env, env, SANDBOX_HOME)]);
  return { id: warm, key, versionDigest, entry, limits, terms, env: lease.env };
}
