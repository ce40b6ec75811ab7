import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { isExecutable } from "@/lib/core/is-executable";
import { type Admitted, NOTHING_OPENED } from "@/lib/worker/access/admit-run";
import { coversFor } from "@/lib/worker/access/hidden-places";
import { secretEnv, secretFiles, writeSecretFiles } from "@/lib/worker/files/give-secrets";
import type { Workspace } from "@/lib/worker/files/open-workspace";
import {
  type EntryProcess,
  entryCommand,
  type Launch,
  readFirstLine,
  spawnDropped,
  spawnEntry,
  spawnSandboxed,
} from "@/lib/worker/launch/direct-launcher";
import type { Prepared } from "@/lib/worker/launch/launcher";
import type { Starter } from "@/lib/worker/launch/preforked-launcher";
import type { GateCommand } from "@/lib/worker/launch/start-barrier";
import { type Gate, hearGate } from "@/lib/worker/launch/start-barrier";
import { joinGroup } from "@/lib/worker/processes/control-groups";
import type { Use } from "@/lib/worker/processes/process-use";
import { requireUid } from "@/lib/worker/processes/user-ids";
import type { Lease } from "@/lib/worker/protocol";
import type { Bubblewrap, Isolation, SeparateUser } from "@/lib/worker/sandbox/isolation";
import { openHosts, PROXY_ENV } from "@/lib/worker/sandbox/open-hosts";
import { filesOf } from "@/lib/worker/sandbox/open-store";
import { prepareUnshared } from "@/lib/worker/sandbox/prepare-unshared";
import { SANDBOX_HOME, SANDBOX_WORKSPACE, sandboxCommand, userCommand } from "@/lib/worker/sandbox/sandbox-command";
import type { EmitEvent } from "@/lib/worker/stream-stderr";
import { buildEnv } from "./build-env";
import { checkEntry, checkProgram } from "./check-entry";
import { RunFailure } from "./run-failure";
import { type ScriptCommand, scriptCommand, wordsOf } from "./script-command";

/** Of a script for the shell that sets the limits in a sandbox. With options it would be another one. */
const SHELL_LINE = "#!/bin/sh";

/**
 * How a lease's entry is started on this host: in the sandbox under the given user id, in what weaker isolation there is,
 * or, where there is none, as a child like any other. Throws RunFailure for an entry that cannot be started and for a grant
 * this worker cannot give.
 */
export function prepareEntry(
  lease: Pick<Lease, "entry" | "env" | "limits" | "terms"> & Partial<Pick<Lease, "secrets" | "call" | "args">>,
  host: {
    isolation: Isolation;
    uid: number | null;
    skillDir: string;
    /** For HOME and TMPDIR outside a sandbox. */
    homeDir: string;
    workspace?: Workspace | null;
    /** What it gets of the host; left out, nothing. */
    admitted?: Admitted;
    env: Record<string, string | undefined>;
    emit: EmitEvent;
    /** Starts a process that waits there for its run; only where there are no hosts to open. */
    waits?: { at: GateCommand; nodeGate: string };
    /** Starts a run that opens nothing, in place of this process. */
    starter?: Starter | null;
  },
): Prepared {
  const { isolation, uid, skillDir, admitted = NOTHING_OPENED } = host;
  const entryPath = checkEntry(filesOf(isolation, skillDir), lease.entry, { isScript: lease.call !== undefined });
  const script = scriptCommand(lease, entryPath);
  const variables = secretEnv(lease.secrets);
  const secrets = secretFiles(lease.secrets);
  if (isolation.kind === "none") {
    const { homeDir, workspace } = host;
    const env = {
      ...buildEnv(lease.env, host.env, homeDir, variables),
      ...workspaceEnv(host, workspace?.dir),
      ...admitted.env,
    };
    writeSecretFiles(secrets, host.homeDir, null);
    const words = wordsOf(script, entryPath, process.execPath);
    const launch = { entryPath, skillDir, env, words };
    return { start: async () => (await startOnHost(host.starter, launch)) ?? spawnEntry(launch), sandbox: null };
  }
  const { limits, terms } = lease;
  if (isolation.kind === "unshare") return prepareUnshared(lease, isolation, { ...host, admitted, entryPath, script });
  if (isolation.kind === "user") return prepareAsUser(lease, isolation, { ...host, admitted, entryPath, script });
  const { paths, hidden } = admitted;
  const builder = terms.capabilities.length > 0 ? null : (uid ?? process.getuid?.() ?? null);
  const proxy = proxyOf(admitted, isolation);
  const gated = proxy !== null;
  const env = {
    ...buildEnv(lease.env, host.env, SANDBOX_HOME, variables),
    ...(gated ? PROXY_ENV : {}),
    ...workspaceEnv(host),
    ...admitted.env,
  };
  const gate = gated ? null : { waits: host.waits?.at ?? null, nodeGate: host.waits?.nodeGate ?? "" };
  const workspaceDir = host.workspace?.dir;
  const firstLine = readFirstLine(entryPath);
  const command = sandboxCommand({
    isolation,
    skillDir,
    entry: lease.entry,
    terms,
    limits,
    uid,
    gated,
    gate,
    workspaceDir,
    secrets,
    script,
    paths,
    covers: coversFor(isolation, { paths, hidden }, builder),
    isOfShell: script === null && firstLine === SHELL_LINE,
  });
  checkProgram(firstLine, [...isolation.system.dirs, ...isolation.system.files], script?.interpreter[0]);
  let heard: Gate | null = null;
  let groupUse: (() => Use) | null = null;
  return {
    async start() {
      const waits = host.waits !== undefined;
      const pipes = { gated, tells: gate !== null, waits };
      const child =
        (await host.starter?.start(command, { env, waits })) ??
        (await spawnSandboxed(isolation, command, {
          env,
          uid,
          unixSockets: paths.length > 0,
          ...pipes,
          secrets,
        }));
      const join = () => {
        if (isolation.cgroups) groupUse = joinGroup(child, isolation.cgroups, limits, host.emit);
      };
      // What waits does nothing, and most of its runs are over before they would have a group.
      if (gate) heard = hearGate(child, waits ? join : undefined);
      if (proxy) await openHosts(child, { ...proxy, emit: host.emit });
      if (!waits) join();
      return child;
    },
    sandbox: { hasOwnPids: !terms.namespaces.includes("pid") },
    gate: () => heard,
    groupUse: () => groupUse?.() ?? null,
  };
}

function workspaceEnv(host: { workspace?: Workspace | null }, path = SANDBOX_WORKSPACE): Record<string, string> {
  return host.workspace ? { WORKSPACE: path } : {};
}

/** Null for a run without a network. Throws RunFailure where it cannot be given one. */
function proxyOf(
  { proxy: policy }: Admitted,
  { nsenter }: Bubblewrap,
): { policy: NonNullable<Admitted["proxy"]>; nsenter: string } | null {
  if (policy === null) return null;
  if (nsenter !== null) return { policy, nsenter };
  throw new RunFailure("spawn_failed", "This worker cannot give a run the network: that takes root and nsenter.");
}

/**
 * Starts an entry without isolation by a starter; null when there is none or it is not sure that the kernel will start it,
 * for then the reason is better known to who calls the kernel.
 */
async function startOnHost(
  starter: Starter | null | undefined,
  { entryPath, skillDir, env, words = null }: Launch,
): Promise<EntryProcess | null> {
  if (!starter) return null;
  const command = words ?? entryCommand(entryPath, process.execPath);
  const interpreter = words ? words[0] : /^#!\s*(\/[^\s\r]+)(?:[ \t][^\r]*)?$/.exec(readFirstLine(entryPath))?.[1];
  const isSure = interpreter?.startsWith("/") && isExecutable(interpreter);
  return isSure ? starter.start(command, { env, cwd: skillDir }) : null;
}

type Host = {
  uid: number | null;
  skillDir: string;
  /** Made here, for the run alone. */
  homeDir: string;
  entryPath: string;
  script: ScriptCommand | null;
  workspace?: Workspace | null;
  admitted: Admitted;
  env: Record<string, string | undefined>;
  emit: EmitEvent;
};

/** How an entry is started under a user id of its own and nothing more. Throws RunFailure as prepareEntry does. */
function prepareAsUser(
  { env: granted, limits, secrets }: Pick<Lease, "env" | "limits"> & Partial<Pick<Lease, "secrets">>,
  isolation: SeparateUser,
  { skillDir, homeDir, entryPath, script, env, emit, uid: given, workspace, admitted }: Host,
): Prepared {
  const uid = requireUid(given);
  const command = userCommand({ isolation, entryPath, script, limits, uid });
  // All of the host is in sight.
  checkProgram(readFirstLine(entryPath), [""], script?.interpreter[0]);
  mkdirSync(homeDir, { recursive: true });
  chmodSync(homeDir, 0o700);
  chownSync(homeDir, uid, uid);
  writeSecretFiles(secretFiles(secrets), homeDir, uid);
  let groupUse: (() => Use) | null = null;
  return {
    async start() {
      const child = await spawnDropped(command, {
        env: {
          ...buildEnv(granted, env, homeDir, secretEnv(secrets)),
          ...(workspace ? { WORKSPACE: workspace.dir } : {}),
          ...admitted.env,
        },
        cwd: skillDir,
        uid: isolation.setpriv === null ? uid : null,
      });
      if (isolation.cgroups) groupUse = joinGroup(child, isolation.cgroups, limits, emit);
      return child;
    },
    sandbox: null,
    // The runs of a session share theirs.
    ...(workspace ? {} : { ownUid: uid }),
    groupUse: () => groupUse?.() ?? null,
  };
}
