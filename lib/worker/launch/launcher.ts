import type { Readable, Writable } from "node:stream";
import type { Use } from "../processes/process-use";
import type { Lease, LeaseSecret } from "../protocol";
import type { SkillStore } from "../sandbox/open-store";

/**
 * Starts what a run executes. Three implementations: direct (`direct-launcher.ts`) can start every command; a preforked shell
 * (`preforked-launcher.ts`) costs the worker 0.6 ms of processor time for a sandbox instead of 2.5; a prewarmed process
 * (`prewarmed-process.ts`) waits with its sandbox built and its interpreter loaded.
 */
export interface Launcher {
  /** Null where it cannot start this command: nothing was started then, and the direct launcher can. */
  start(command: LaunchCommand): Promise<EntryProcess | null>;
}

export type LaunchCommand = {
  /** The program and its arguments. */
  words: string[];
  /** The whole environment of the process. */
  env: Record<string, string>;
  /** "/" when it is left out. */
  cwd?: string;
  /** The user id that it is started with; without one it keeps this process's, or drops to one itself. */
  uid?: number | null;
  /** A file that is read on descriptor 3; null for nothing there. */
  filter?: string | null;
  /** Pipes from descriptor 4 on: one on which a sandbox tells that it is built, a second one on which it waits. */
  pipes?: 0 | 1 | 2;
  /** In whose mount namespace it is started. */
  store?: SkillStore | null;
  /** Credentials that it gets as files. */
  secrets?: LeaseSecret[];
  /** Why it could not be started, for people. */
  explain: (error: NodeJS.ErrnoException) => string;
};

/** What is needed of a child process. */
export interface EntryProcess {
  readonly pid: number;
  /** A shell in whose session and process group it is; left out where it leads its own. */
  readonly shell?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Streams by descriptor. */
  readonly stdio: readonly (Readable | Writable | null | undefined)[];
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  /** `exit` when it has ended, `close` when nothing more can come from its streams either. */
  once(event: "exit" | "close", listener: (code: number | null) => void): unknown;
}

/** An entry that is ready to be started. */
export type Prepared = {
  start(): Promise<EntryProcess>;
  sandbox: { hasOwnPids: boolean } | null;
  /** The real user id that its processes have, and no other process of the host. */
  ownUid?: number;
  /** Of the process that was started, if its sandbox tells when it is built. */
  barrier?: () => StartBarrier | null;
  /** What its control group counted, if it had one. */
  groupUse?: () => Use | null;
};

/** Whether a run has nothing but its sandbox, so that a preforked or prewarmed process can have it: no grant, credential or workspace. */
export function hasNoGrants({
  terms,
  secrets = [],
  workspace,
}: Pick<Lease, "terms" | "secrets" | "workspace">): boolean {
  const opened = [terms.hosts, terms.paths, terms.namespaces, terms.capabilities, secrets];
  return !terms.network && !workspace && opened.every((list) => list.length === 0);
}

export type StartBarrier = {
  /** When the sandbox said that it is built, on the `performance.now()` clock; null while it has not. */
  notifiedMs(): number | null;
  /** Resolves once it has said so, or has ended without. */
  notified: Promise<void>;
  /** Lets the waiting process go on to its entry. */
  open(): void;
};
