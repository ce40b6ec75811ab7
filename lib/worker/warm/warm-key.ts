import { buildEnv } from "../launch/build-env";
import { opensNothing } from "../opens-nothing";
import type { Lease } from "../protocol";
import { SANDBOX_HOME } from "../sandbox/sandbox-places";

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
  if (!warm || !opensNothing(lease) || lease.call !== undefined) return null;
  const key = JSON.stringify([warm, versionDigest, entry, limits, terms, buildEnv(lease.env, env, SANDBOX_HOME)]);
  return { id: warm, key, versionDigest, entry, limits, terms, env: lease.env };
}
