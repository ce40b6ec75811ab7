import type { Cgroups } from "./cgroups";

/** What this host can do to keep a run apart, found by trying it. */
export type Bubblewrap = {
  kind: "bubblewrap";
  /** Absolute path. */
  program: string;
  version: string;
  /** Files with the seccomp filter, the second one letting Unix sockets through; null where there is no filter. */
  seccomp: { plain: string; unixSockets: string } | null;
  /** Older bubblewrap cannot forbid user namespaces inside; the filter does then. */
  disableUserns: boolean;
  /** Real user ids for runs, one at a time each; null when this process is not root and runs keep its own id. */
  uids: { first: number; count: number } | null;
  /** Absolute path of setpriv, with which a worker that is root hands on single capabilities; null where it cannot. */
  setpriv: string | null;
  /** Absolute path of nsenter, with which a worker that is root gives a run a proxy of its own; null where it cannot. */
  nsenter: string | null;
  /** Limits for all processes of a run together; null where this process may not set them. */
  cgroups: Cgroups | null;
  /** Directories to bind read-only, and links to make, so that the host's programs work inside. */
  system: { binds: string[]; links: { target: string; path: string }[] };
};

export type Isolation = Bubblewrap | { kind: "none"; reason: string };

/** Ids that no account of a Linux distribution uses. */
export const UID_POOL = { first: 60_000, count: 64 };
