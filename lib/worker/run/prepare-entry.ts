import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { isExecutable } from "@/lib/core/find-program";
import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import { type Admitted, NO_GRANTS } from "../access/admit-run";
import { coversFor } from "../access/hidden-places";
import { hidesHost } from "../access/host-access";
import type { Workspace } from "../files/open-workspace";
import { secretEnv, secretFiles, writeSecretFiles } from "../files/pass-secrets";
import { bubblewrapLaunch, droppingLaunch, entryLaunch, startDirectly } from "../launch/direct-launcher";
import type { LaunchCommand, Launcher, Prepared, StartBarrier } from "../launch/launcher";
import { type BarrierCommand, listenAtBarrier } from "../launch/start-barrier";
import { joinGroup } from "../processes/control-groups";
import type { Use } from "../processes/process-use";
import { requireUid } from "../processes/user-ids";
import type { Lease, LeaseSecret } from "../protocol";
import type { Bubblewrap, Isolation, SeparateUser, Unshared } from "../sandbox/isolation";
import { openHosts, PROXY_ENV } from "../sandbox/open-hosts";
import { filesOf } from "../sandbox/open-store";
import { SANDBOX_HOME, SANDBOX_WORKSPACE, sandboxCommand, userCommand } from "../sandbox/sandbox-command";
import { unshareCommand } from "../sandbox/unshare-command";
import type { EmitEvent } from "../stream-stderr";
import { checkEntry, checkProgram, readFirstLine, type ScriptCommand, scriptCommand, wordsOf } from "./entry-command";
import { RunFailure } from "./run-failure";

/** First line of a script that the shell which sets the limits can execute itself; options would need another shell. */
const SHELL_LINE = "#!/bin/sh";

type EntryLease = Pick<Lease, "entry" | "env" | "limits" | "terms"> & Partial<Pick<Lease, "secrets" | "call" | "args">>;

type EntryHost = {
  isolation: Isolation;
  uid: number | null;
  skillDir: string;
  homeDir: string;
  workspace?: Workspace | null;
  admitted?: Admitted;
  env: Record<string, string | undefined>;
  emit: EmitEvent;
  /** Prewarms a process that waits there for its run; only where there are no hosts to open. */
  waits?: { at: BarrierCommand; nodeBarrier: string };
  /** Tried before the direct launcher; only for a run without grants. */
  launcher?: Launcher | null;
};

type Entry = Omit<EntryHost, "isolation" | "admitted" | "env"> & {
  lease: EntryLease;
  admitted: Admitted;
  entryPath: string;
  script: ScriptCommand | null;
  secrets: LeaseSecret[];
  env: Record<string, string>;
};

/**
 * Prepares the start of a lease's entry on this host: in the sandbox under the given user id, in the weaker isolation there
 * is, or without isolation as a plain child. Throws RunFailure for an entry that cannot be started and for a grant that
 * this worker cannot give.
 */
export function prepareEntry(lease: EntryLease, host: EntryHost): Prepared {
  const { isolation, skillDir, homeDir, workspace, admitted = NO_GRANTS, waits } = host;
  const entryPath = checkEntry(filesOf(isolation, skillDir), lease.entry, { isScript: lease.call !== undefined });
  const script = scriptCommand(lease, entryPath);
  const isSandbox = hidesHost(isolation);
  const proxy = isSandbox ? proxyOf(admitted, isolation) : null;
  const env = {
    ...buildEnv(lease.env, host.env, isSandbox ? SANDBOX_HOME : homeDir, secretEnv(lease.secrets)),
    ...(proxy ? PROXY_ENV : {}),
    ...(workspace ? { WORKSPACE: isSandbox ? SANDBOX_WORKSPACE : workspace.dir } : {}),
    ...admitted.env,
  };
  const entry: Entry = { ...host, lease, admitted, entryPath, script, secrets: secretFiles(lease.secrets), env };
  const command = commandFor(entry, isolation, proxy !== null);
  const launcher = isolation.kind === "none" && !canKernelStart(entry) ? null : host.launcher;
  const tells = isolation.kind === "bubblewrap" && proxy === null;
  const cgroups = isolation.kind === "none" ? null : isolation.cgroups;
  let barrier: StartBarrier | null = null;
  let groupUse: (() => Use) | null = null;
  return {
    async start() {
      const child = (await launcher?.start(command)) ?? (await startDirectly(command));
      const join = () => {
        if (cgroups) groupUse = joinGroup(child, cgroups, lease.limits, host.emit);
      };
      // A waiting process does nothing, and most of its runs end before they would join a group.
      if (tells) barrier = listenAtBarrier(child, waits ? join : undefined);
      const inside = isolation.kind === "unshare" ? { pid: child.pid } : {};
      if (proxy) await openHosts(child, { ...proxy, ...inside, emit: host.emit });
      if (!waits) join();
      return child;
    },
    sandbox: isSandbox ? { hasOwnPids: !lease.terms.namespaces.includes("pid") } : null,
    // Runs of a session share an id; in bubblewrap, processes need not be found by their id.
    ...((isolation.kind === "unshare" || isolation.kind === "user") && !workspace
      ? { ownUid: requireUid(host.uid) }
      : {}),
    barrier: () => barrier,
    groupUse: () => groupUse?.() ?? null,
  };
}

function commandFor(entry: Entry, isolation: Isolation, isBlocked: boolean): LaunchCommand {
  switch (isolation.kind) {
    case "bubblewrap":
      return commandInBubblewrap(entry, isolation, isBlocked);
    case "unshare":
      return commandInNamespaces(entry, isolation, isBlocked);
    case "user":
      return commandAsUser(entry, isolation);
    default:
      return commandOnHost(entry);
  }
}

function sandboxRun({ lease, skillDir, workspace, secrets, script, admitted }: Entry) {
  const { entry, terms, limits } = lease;
  return { skillDir, entry, terms, limits, workspaceDir: workspace?.dir, secrets, script, paths: admitted.paths };
}

function commandInBubblewrap(entry: Entry, isolation: Bubblewrap, isBlocked: boolean): LaunchCommand {
  const { lease, entryPath, script, uid, waits, env, secrets, admitted } = entry;
  const builder = lease.terms.capabilities.length > 0 ? null : (uid ?? process.getuid?.() ?? null);
  const firstLine = readFirstLine(entryPath);
  const args = sandboxCommand({
    ...sandboxRun(entry),
    isolation,
    uid,
    isBlocked,
    barrier: isBlocked ? null : { waits: waits?.at ?? null, nodeBarrier: waits?.nodeBarrier ?? "" },
    covers: coversFor(isolation, admitted, builder),
    isOfShell: script === null && firstLine === SHELL_LINE,
  });
  checkProgram(firstLine, [...isolation.system.dirs, ...isolation.system.files], script?.interpreter[0]);
  const pipes = isBlocked || waits ? 2 : 1;
  // Not derived from `args`, which contain text from a run's arguments.
  const launchUid = lease.terms.capabilities.length > 0 ? null : uid;
  const unixSockets = admitted.paths.length > 0;
  return bubblewrapLaunch(isolation, args, { env, uid: launchUid, unixSockets, pipes, secrets });
}

function commandInNamespaces(entry: Entry, isolation: Unshared, isBlocked: boolean): LaunchCommand {
  const { entryPath, script, env, secrets, admitted } = entry;
  const uid = requireUid(entry.uid);
  const covers = coversFor(isolation, admitted, null);
  const words = unshareCommand({ ...sandboxRun(entry), isolation, uid, isBlocked, covers });
  const shown = [...isolation.system.dirs, ...isolation.system.files];
  checkProgram(readFirstLine(entryPath), shown, script?.interpreter[0]);
  return droppingLaunch(words, { env, pipes: isBlocked ? 2 : 0, secrets, store: isolation.store ?? null });
}

function commandAsUser(
  { lease, homeDir, skillDir, entryPath, script, secrets, env, ...entry }: Entry,
  isolation: SeparateUser,
) {
  const uid = requireUid(entry.uid);
  const words = userCommand({ isolation, entryPath, script, limits: lease.limits, uid });
  checkProgram(readFirstLine(entryPath), [""], script?.interpreter[0]);
  mkdirSync(homeDir, { recursive: true });
  chmodSync(homeDir, 0o700);
  chownSync(homeDir, uid, uid);
  writeSecretFiles(secrets, homeDir, uid);
  return droppingLaunch(words, { env, cwd: skillDir, uid: isolation.setpriv === null ? uid : null });
}

function commandOnHost({ homeDir, skillDir, entryPath, script, secrets, env }: Entry): LaunchCommand {
  writeSecretFiles(secrets, homeDir, null);
  return entryLaunch(entryPath, { env, cwd: skillDir, words: wordsOf(script, entryPath, process.execPath) });
}

/** Whether the kernel can start it without isolation; if not, the direct launcher reports the kernel's error. */
function canKernelStart({ launcher, entryPath, script }: Entry): boolean {
  if (!launcher) return false;
  const firstWord = script ? wordsOf(script, entryPath, process.execPath)?.[0] : null;
  const interpreter = firstWord ?? /^#!\s*(\/[^\s\r]+)(?:[ \t][^\r]*)?$/.exec(readFirstLine(entryPath))?.[1];
  return interpreter?.startsWith("/") === true && isExecutable(interpreter);
}

/** Null for a run without a network. Throws RunFailure where no network can be given. */
function proxyOf(
  { proxy: policy }: Admitted,
  { kind, nsenter }: Bubblewrap | Unshared,
): { policy: NonNullable<Admitted["proxy"]>; nsenter: string } | null {
  if (policy === null) return null;
  if (nsenter !== null) return { policy, nsenter };
  const needs = kind === "bubblewrap" ? "root and nsenter" : "nsenter and ip";
  throw new RunFailure("spawn_failed", `This worker cannot give a run the network: that needs ${needs}.`);
}

/**
 * The whole environment of a run: the granted variables that this worker has, and three of our own. HOME and TMPDIR point
 * to the run's private directory. SHLVL=1 keeps bash from taking the socket on its stdin for a remote shell and sourcing a
 * start-up file. Server settings, and variables that make programs load other code, are never passed.
 */
export function buildEnv(
  granted: string[],
  available: Record<string, string | undefined>,
  home: string,
  secrets: Record<string, string> = {},
): Record<string, string> {
  const passed = granted.flatMap((name) => {
    const value = isDeniedEnv(name) ? undefined : available[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...secrets, HOME: home, TMPDIR: home, SHLVL: "1" };
}
