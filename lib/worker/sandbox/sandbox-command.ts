import { statSync } from "node:fs";
import { WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import type { HiddenPlace, OpenedPath } from "../access/hidden-places";
import { bindSecrets } from "../files/pass-secrets";
import { BARRIER_DESCRIPTORS, type BarrierCommand, NODE_BARRIER_PATH } from "../launch/start-barrier";
import type { LeaseSecret, RunLimits, RunTerms } from "../protocol";
import { entryCommand, type ScriptCommand, wordsOf } from "../run/entry-command";
import { RunFailure } from "../run/run-failure";
import { BLOCK_DESCRIPTORS } from "./blocked-sandbox";
import type { Bubblewrap, SeparateUser, SharedRoot } from "./isolation";

/** CPU time is limited per process; a run may use several cores, so the wall clock ends it first. */
const CPU_SECONDS_BEYOND = 5;

export type SandboxRun = MountedRun & {
  entry: string;
  uid: number | null;
  /** Reports the inner process id and waits for a byte, on the descriptors of BLOCK_DESCRIPTORS. */
  isBlocked?: boolean;
  script?: ScriptCommand | null;
  /** The entry is a script for the shell that sets the limits, which executes it itself instead of starting another shell. */
  isOfShell?: boolean;
};

export const NAMESPACES = ["ipc", "pid", "net", "uts", "cgroup"];

/**
 * The bubblewrap command line of a run: all namespaces separate and no capabilities except those granted, the host's
 * programs and the skill read-only, one size-limited file system of its own. The seccomp filter, if any, is expected on
 * descriptor 3. Environment values are passed to bubblewrap's own environment, because every account of the host may read
 * command lines. Throws RunFailure for a grant that this worker cannot give.
 */
export function sandboxCommand(run: SandboxRun): string[] {
  const { isolation, entry, terms, limits, uid, isBlocked, barrier = null, isOfShell = false } = run;
  const shared = new Set(terms.namespaces);
  const words = wordsOf(run.script ?? null, `${SANDBOX_SKILL}/${entry}`);
  const isKept = (name: string) => shared.has(name) || (name === "net" && run.world?.hasNetwork === true);
  const own = NAMESPACES.filter((name) => !isKept(name)).map((name) => `--unshare-${name}`);
  const privileged = terms.capabilities.length > 0;
  return [
    ...(privileged ? [] : ["--unshare-user", ...(isolation.disableUserns ? ["--disable-userns"] : [])]),
    ...own,
    ...(run.world ? ["--hostname", run.world.hostname] : []),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...(privileged ? [...terms.capabilities, "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] : []).flatMap((name) => [
      "--cap-add",
      name,
    ]),
    ...rootMounts(run),
    ...["--chdir", SANDBOX_SKILL],
    ...(isolation.seccomp ? ["--seccomp", "3"] : []),
    ...(isBlocked ? ["--info-fd", String(BLOCK_DESCRIPTORS.info), "--block-fd", String(BLOCK_DESCRIPTORS.block)] : []),
    "--",
    ...(privileged ? dropTo(isolation, uid, terms.capabilities) : []),
    ...limitCommand(limits, { barrier: shellBarrier(barrier), isOfShell }),
    ...(barrier?.waits?.where === "interpreter" ? barrier.waits.command : (words ?? [`${SANDBOX_SKILL}/${entry}`])),
  ];
}

/** Capabilities over the host are void inside a user namespace, so these runs have none: root drops to the run's id itself. */
function dropTo({ setpriv }: Bubblewrap, uid: number | null, capabilities: string[]): string[] {
  if (setpriv === null || uid === null) {
    throw new RunFailure(
      "spawn_failed",
      `This worker cannot give the capabilities ${capabilities.join(", ")}: it is not root.`,
    );
  }
  return dropCommand(setpriv, uid, capabilities);
}

/** Drops from root to a run's id permanently, with these capabilities only. */
export function dropCommand(setpriv: string, uid: number, capabilities: string[]): string[] {
  const set = ["-all", ...capabilities.map((name) => `+${name.replace(/^CAP_/, "").toLowerCase()}`)].join(",");
  return [
    setpriv,
    ...["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--no-new-privs"],
    ...["--inh-caps", set, "--ambient-caps", set, "--bounding-set", set],
    "--",
  ];
}

/**
 * Sets the limits and becomes the entry. Memory is limited as data, the writable part of a process, and not as address
 * space: V8 reserves far more of that than it uses, and would not start. Lower limits stay. PWD comes from bubblewrap and
 * was not granted; each shell sets its own.
 */
export function limitCommand(limits: RunLimits, { barrier = "", isOfShell = false } = {}): string[] {
  const set = [
    "-c 0",
    `-d ${Math.ceil(limits.memoryBytes / 1024)}`,
    `-t ${Math.ceil(limits.timeoutMs / 1000) + CPU_SECONDS_BEYOND}`,
    `-f ${Math.ceil(limits.fileBytes / 512)}`,
    `-n ${limits.openFiles}`,
  ].map((limit) => `ulimit ${limit};`);
  const processes = `ulimit -u ${limits.processes} || ulimit -p ${limits.processes};`;
  const become = isOfShell ? 'unset SKILLGATE_GATE; . "$0"' : 'unset PWD; exec "$0" "$@"';
  return ["/bin/sh", "-c", `{ ${set.join(" ")} ${processes} } 2>/dev/null; ${barrier}${become}`];
}

/** What the shell does on the descriptors before it becomes the entry; an interpreter that waits does this itself. */
function shellBarrier(barrier: SandboxRun["barrier"]): string {
  if (!barrier || barrier.waits?.where === "interpreter") return "";
  const { tell, wait } = BARRIER_DESCRIPTORS;
  const waiting = barrier.waits ? `read -r SKILLGATE_GATE <&${wait} || exit 1; exec ${wait}<&-; ` : "";
  return `echo >&${tell}; ${waiting}exec ${tell}>&-; `;
}

/** Home and temporary files: a file system of the run's own that ends with it. */
export const SANDBOX_HOME = "/tmp";
export const SANDBOX_SKILL = "/skill";
export const SANDBOX_WORKSPACE = "/workspace";

export type MountedRun = {
  isolation: Bubblewrap;
  skillDir: string;
  terms: RunTerms;
  limits: RunLimits;
  paths?: OpenedPath[];
  covers?: HiddenPlace[];
  workspaceDir?: string | null;
  secrets?: LeaseSecret[];
  /** The sandbox reports on descriptor 4 that it is built, and waits on descriptor 5 if it has no run yet. */
  barrier?: { waits: BarrierCommand | null; nodeBarrier: string } | null;
  /**
   * For an analysis, which needs a root of its own: further mounts, the name of its machine, and whether the process that builds
   * the sandbox is in the network namespace of a recorder, which the run then keeps.
   */
  world?: { mounts: string[]; hostname: string; hasNetwork: boolean };
};

export const OWN_DEV = ["--dev", "/dev", "--remount-ro", "/dev"];

/** Bubblewrap arguments for a run's files: in the shared root, or in a read-only one of its own for further mounts. */
export function rootMounts(run: MountedRun): string[] {
  const { isolation, skillDir, terms, limits, workspaceDir = null, secrets = [], barrier = null } = run;
  const { paths = [], covers = [] } = run;
  const { dirs, files, links } = isolation.system;
  const root = rootFor(run);
  const shown = root ? dirs : [...dirs, ...files];
  const size = ["--perms", "1777", "--size", String(limits.diskBytes)];
  const node = ["--ro-bind", isolation.node ?? process.execPath, WORKER_NODE];
  return [
    ...(root ? ["--ro-bind", root.dir, "/"] : []),
    ...shown.flatMap((path) => ["--ro-bind", path, path]),
    ...(root ? [] : links.flatMap(({ target, path }) => ["--symlink", target, path])),
    ...(hasHostNetwork(terms) ? NAME_FILES.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...["--proc", "/proc"],
    ...OWN_DEV,
    ...[...size, "--tmpfs", "/dev/shm", ...size, "--tmpfs", SANDBOX_HOME],
    ...["--ro-bind", skillDir, SANDBOX_SKILL],
    ...(root?.hasNode ? [] : node),
    ...(workspaceDir === null ? [] : ["--bind", workspaceDir, SANDBOX_WORKSPACE]),
    ...(!root && barrier?.waits?.kind === "node" ? ["--ro-bind", barrier.nodeBarrier, NODE_BARRIER_PATH] : []),
    ...paths
      .toSorted((a, b) => a.path.length - b.path.length)
      .flatMap(({ path, real, mode }) => [mode === "rw" ? "--bind" : "--ro-bind", real, path]),
    ...covers.flatMap(({ path, isFolder }) =>
      isFolder
        ? [...["--perms", "0755", "--size", "4096", "--tmpfs", path], ...["--remount-ro", path]]
        : ["--ro-bind", "/dev/null", path],
    ),
    ...bindSecrets(secrets, SANDBOX_HOME, terms.capabilities.length > 0),
    ...(run.world?.mounts ?? []),
    ...(root ? [] : ["--remount-ro", "/"]),
  ];
}

const NAME_FILES = ["/etc/resolv.conf", "/etc/hosts"];

function hasHostNetwork({ namespaces }: RunTerms): boolean {
  return namespaces.includes("net");
}

/**
 * The shared root, if the run fits into it. A read-only root cannot get new mount points, and a prepared one for workspaces
 * would be visible to runs without one. Capabilities may allow writing to what all runs share. A cleaner of temporary files
 * may have removed a part of the root, which changes its ctime.
 */
function rootFor({
  isolation: { root },
  terms,
  paths = [],
  workspaceDir = null,
  secrets = [],
}: MountedRun): SharedRoot | null {
  const opened = [...paths, ...terms.capabilities, ...secrets];
  const isPlain = opened.length === 0 && workspaceDir === null && !hasHostNetwork(terms);
  if (!root || !isPlain) return null;
  return statSync(root.dir, { throwIfNoEntry: false })?.ctimeMs === root.changedMs ? root : null;
}

type UserRun = {
  isolation: SeparateUser;
  entryPath: string;
  script?: ScriptCommand | null;
  limits: RunLimits;
  uid: number;
};

/**
 * The command line of a run with only its own user id and limits. It can access the network and the host's files as far as
 * any account can, granted or not; so the worker refuses such grants for it.
 */
export function userCommand({ isolation, entryPath, script = null, limits, uid }: UserRun): string[] {
  const { setpriv } = isolation;
  const drop = setpriv === null ? [] : endWithWorker(dropCommand(setpriv, uid, []));
  const node = isolation.node ?? process.execPath;
  return [...drop, ...limitCommand(limits), ...(wordsOf(script, entryPath, node) ?? entryCommand(entryPath, node))];
}

function endWithWorker([setpriv = "", ...flags]: string[]): string[] {
  return [setpriv, "--pdeathsig", "KILL", ...flags];
}
