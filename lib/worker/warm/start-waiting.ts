import { statSync } from "node:fs";
import { join } from "node:path";
import { buildEnv } from "../launch/build-env";
import { killTree } from "../launch/kill-tree";
import { prepareEntry } from "../launch/prepare-entry";
import type { Prepared } from "../launch/prepared";
import { type EntryProcess, readFirstLine } from "../launch/spawn-entry";
import type { EmitEvent } from "../report/emit-event";
import type { Bubblewrap } from "../sandbox/claim-uids";
import { filesOf } from "../sandbox/open-store";
import { SANDBOX_HOME, SANDBOX_SKILL } from "../sandbox/sandbox-places";
import type { Starter } from "../starters/open-starter";
import { gateCommand } from "./gate-command";
import type { Pack } from "./warm-key";

/** A process whose sandbox is built and which waits for one run before the first line of the skill's own code. */
export type Waiting = {
  pid: number;
  kind: "python" | "node" | "program";
  isAlive(): boolean;
  /** The directory it has mounted; another one of the same name is not it. */
  directory: string;
  /** Resolves once it waits, or has ended. */
  ready: Promise<void>;
  /** Hands it to a run, whose output it is from now on. */
  release(emit: EmitEvent): Prepared & { waitedSinceMs: number };
  /** Ends it; resolves once nothing of it is left. */
  end(): Promise<void>;
};

export type WaitingHost = {
  isolation: Bubblewrap;
  uid: number | null;
  starter?: Starter | null;
  skillDir: string;
  env: Record<string, string | undefined>;
  nodeGate: string;
};

/** Starts a process that waits for a run of this pack. Throws RunFailure when it cannot be started. */
export async function startWaiting(pack: Pack, host: WaitingHost): Promise<Waiting> {
  const { uid, skillDir, nodeGate } = host;
  let listener: EmitEvent | null = null;
  const at = gateCommand(
    readFirstLine(join(filesOf(host.isolation, skillDir), pack.entry)),
    `${SANDBOX_SKILL}/${pack.entry}`,
    buildEnv(pack.env, host.env, SANDBOX_HOME),
  );
  const prepared = prepareEntry(pack, {
    ...host,
    homeDir: SANDBOX_HOME,
    uid,
    emit: (stream, text) => listener?.(stream, text),
    waits: { at, nodeGate },
  });
  const directory = identify(filesOf(host.isolation, skillDir));
  const startedMs = performance.now();
  const child = await prepared.start();
  return {
    pid: child.pid,
    kind: at.kind,
    directory,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ready: prepared.gate?.()?.told ?? Promise.resolve(),
    release(emit) {
      listener = emit;
      const start = async () => {
        prepared.gate?.()?.open();
        return child;
      };
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
