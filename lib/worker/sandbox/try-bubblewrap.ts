import { RunLimits, RunTerms } from "../protocol";
import type { Bubblewrap } from "./claim-uids";
import { sandboxCommand } from "./sandbox-command";
import { spawnSandboxed } from "./spawn-sandboxed";
import { PROBE_MS, tryOut } from "./try-out";

/** Runs a program as a run with no grants would be: null when it did as it should, else what went wrong. Never throws. */
export function tryBubblewrap(isolation: Bubblewrap): Promise<string | null> {
  const uid = isolation.uids?.first ?? null;
  return tryOut(() => spawnSandboxed(isolation, trialCommand(isolation, uid), { env: {}, uid, unixSockets: false }));
}

/** The command line of such a run, which says nothing and succeeds. */
export function trialCommand(isolation: Bubblewrap, uid: number | null, { gated = false } = {}): string[] {
  return sandboxCommand({
    // Where Node will be for runs is not settled yet, and this run does not look at it.
    isolation: { ...isolation, node: isolation.node ?? isolation.program },
    skillDir: "/usr/bin",
    entry: "true",
    terms: RunTerms.parse({}),
    limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
    uid,
    gated,
  });
}
