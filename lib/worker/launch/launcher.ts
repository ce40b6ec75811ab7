import type { Readable, Writable } from "node:stream";
import type { Use } from "../processes/process-use";
import type { Lease, LeaseSecret } from "../protocol";
import type { SkillStore } from "../sandbox/open-store";

/**
 * Starts the process of a run. `startDirectly` (`direct-launcher.ts`) can start every command; a preforked shell
 * (`preforked-launcher.ts`) costs the worker 0.6 ms of processor time for a sandbox instead of 2.5; a prewarmed
 * process (`prewarmed-process.ts`) waits with its sandbox built and its interpreter loaded.
 */
export interface Launcher {
  /** Null when it cannot start this command: nothing was started, and the direct launcher can start it. */
  start(command: LaunchCommand): Promise<EntryProcess | null>;
}

export type LaunchCommand = {
  words: string[];
  env: Record<string, string>;
  cwd?: string;
  /** The user id to start it with; without one it keeps this process's id, or drops to another by itself. */
  uid?: number | null;
  filter?: string | null;
  /** Pipes from descriptor 4 on: one on which a sandbox reports that it is built, a second one on which it waits. */
  pipes?: 0 | 1 | 2;
  store?: SkillStore | null;
  secrets?: LeaseSecret[];
  explain: (error: NodeJS.ErrnoException) => string;
};

export interface EntryProcess {
  readonly pid: number;
  /** The shell in whose session and process group the process is; absent when the process leads its own. */
  readonly shell?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdio: readonly (Readable | Writable | null | undefined)[];
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  /** `exit` is emitted at the end of the process, `close` when its streams have ended too. */
  once(event: "exit" | "close", listener: (code: number | null) => void): unknown;
}

export type Prepared = {
  start(): Promise<EntryProcess>;
  sandbox: { hasOwnPids: boolean } | null;
  /** The real user id of its processes, which no other process of the host has. */
  ownUid?: number;
  /** The start barrier of the started process, if its sandbox reports that it is built. */
  barrier?: () => StartBarrier | null;
  /** The usage that its control group counted, if it had one. */
  groupUse?: () => Use | null;
};

/** Whether a run has no grant, credential or workspace, so that a preforked or prewarmed process can execute it. */
export function hasNoGrants({
  terms,
  secrets = [],
  workspace,
}: Pick<Lease, "terms" | "secrets" | "workspace">): boolean {
  const opened = [terms.hosts, terms.paths, terms.namespaces, terms.capabilities, secrets];
  return !terms.network && !workspace && opened.every((list) => list.length === 0);
}

export type StartBarrier = {
  /** When the sandbox reported that it is built, on the `performance.now()` clock; null before. */
  notifiedMs(): number | null;
  notified: Promise<void>;
  open(): void;
};
