import { buildEnv } from "./build-env";
import { checkEntry } from "./check-entry";
import { checkProgram } from "./check-program";
import type { EmitEvent } from "./emit-event";
import type { Lease, RunTerms } from "./protocol";
import type { Bubblewrap, Isolation } from "./sandbox/isolation";
import { joinGroup } from "./sandbox/join-group";
import { openHosts, PROXY_ENV } from "./sandbox/open-hosts";
import { SANDBOX_HOME, sandboxCommand } from "./sandbox/sandbox-command";
import { spawnSandboxed } from "./sandbox/spawn-sandboxed";
import { type EntryProcess, spawnEntry } from "./spawn-entry";

type Prepared = { start(): Promise<EntryProcess>; sandbox: { hasOwnPids: boolean } | null };

/**
 * How a lease's entry is started on this host: in the sandbox under the given user id, or, where there is none, as a child
 * like any other. Throws RunFailure for an entry that cannot be started and for a grant this worker cannot give.
 */
export function prepareEntry(
  lease: Lease,
  host: {
    isolation: Isolation;
    uid: number | null;
    skillDir: string;
    /** For HOME and TMPDIR outside a sandbox. */
    homeDir: string;
    env: Record<string, string | undefined>;
    emit: EmitEvent;
  },
): Prepared {
  const { isolation, uid, skillDir } = host;
  const entryPath = checkEntry(skillDir, lease.entry);
  if (isolation.kind === "none") {
    const env = buildEnv(lease.env, host.env, host.homeDir);
    return { start: () => spawnEntry({ entryPath, skillDir, env }), sandbox: null };
  }
  const { terms, limits } = lease;
  const hosts = hostsToOpen(terms, isolation, host.emit);
  const gated = hosts !== null;
  const env = { ...buildEnv(lease.env, host.env, SANDBOX_HOME), ...(gated ? PROXY_ENV : {}) };
  const command = sandboxCommand({ isolation, skillDir, entry: lease.entry, terms, limits, uid, gated });
  checkProgram(entryPath, isolation.system.binds);
  return {
    async start() {
      const child = await spawnSandboxed(isolation, command, { env, uid, unixSockets: terms.paths.length > 0, gated });
      if (hosts) await openHosts(child, { ...hosts, emit: host.emit });
      if (isolation.cgroups) joinGroup(child, isolation.cgroups, limits, host.emit);
      return child;
    },
    sandbox: { hasOwnPids: !terms.namespaces.includes("pid") },
  };
}

/** Null when no single hosts were granted, when the whole network was, and where this worker cannot open them. */
function hostsToOpen(
  { hosts, network, namespaces }: RunTerms,
  { nsenter }: Bubblewrap,
  emit: EmitEvent,
): { hosts: string[]; nsenter: string } | null {
  if (hosts.length === 0 || network || namespaces.includes("net")) return null;
  if (nsenter !== null) return { hosts, nsenter };
  emit("system", "This worker cannot open the network for single hosts (it is not root): the run has no network.");
  return null;
}
