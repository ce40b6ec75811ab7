import { bindSecrets } from "../give-secrets";
import type { LeaseSecret, RunLimits, RunTerms } from "../protocol";
import { RunFailure } from "../run-failure";
import { type ScriptCommand, wordsOf } from "../script-command";
import { SANDBOX_NODE } from "../spawn-entry";
import { GATE_DESCRIPTOR, type GateCommand } from "../warm/gate-command";
import { NODE_GATE_PATH } from "../warm/node-gate";
import type { Bubblewrap } from "./isolation";
import { GATE } from "./open-hosts";

/** CPU time counts for each process; a run may use several cores, so the wall clock ends it first. */
const CPU_SECONDS_BEYOND = 5;

export type SandboxRun = {
  isolation: Bubblewrap;
  /** On the host; mounted read-only. */
  skillDir: string;
  /** Relative to the skill. */
  entry: string;
  terms: RunTerms;
  limits: RunLimits;
  /** The real user id of the run; null keeps the worker's own. */
  uid: number | null;
  /** On the host; the session's directory, which the run can write to. */
  workspaceDir?: string | null;
  /** Says who is inside and waits for a byte, on the descriptors of GATE. */
  gated?: boolean;
  /** Credentials that it gets as files. */
  secrets?: LeaseSecret[];
  /** A script that a decision made the entry. */
  script?: ScriptCommand | null;
  /** The sandbox tells on descriptor 4 that it is built, and waits there if it has no run yet. */
  gate?: { waits: GateCommand | null; nodeGate: string } | null;
};

export const NAMESPACES = ["ipc", "pid", "net", "uts", "cgroup"];
/** Home and temporary files: a file system of its own that ends with the run. */
export const SANDBOX_HOME = "/tmp";
export const SANDBOX_SKILL = "/skill";
export const SANDBOX_WORKSPACE = "/workspace";

/**
 * The bubblewrap command line of a run: every namespace of its own except those granted, no capability except those
 * granted, the host's programs and the skill read-only, one sized file system of its own. The seccomp filter, when there
 * is one, is expected on descriptor 3. The environment is the one bubblewrap is started with, so that no value stands in
 * a command line, which every account of the host may read. Throws RunFailure for a grant this worker cannot give.
 */
export function sandboxCommand(run: SandboxRun): string[] {
  const { isolation, skillDir, entry, terms, limits, uid, gated, gate = null, workspaceDir = null, secrets = [] } = run;
  const shared = new Set([...terms.namespaces, ...(terms.network ? ["net"] : [])]);
  const words = wordsOf(run.script ?? null, `${SANDBOX_SKILL}/${entry}`);
  const own = NAMESPACES.filter((name) => !shared.has(name)).map((name) => `--unshare-${name}`);
  const privileged = terms.capabilities.length > 0;
  return [
    ...(privileged ? [] : ["--unshare-user", ...(isolation.disableUserns ? ["--disable-userns"] : [])]),
    ...own,
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...(privileged ? [...terms.capabilities, "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] : []).flatMap((name) => [
      "--cap-add",
      name,
    ]),
    ...isolation.system.binds.flatMap((path) => ["--ro-bind", path, path]),
    ...isolation.system.links.flatMap(({ target, path }) => ["--symlink", target, path]),
    ...(shared.has("net") ? ["/etc/resolv.conf", "/etc/hosts"].flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"],
    ...["--perms", "1777", "--size", String(limits.diskBytes), "--tmpfs", "/dev/shm"],
    ...["--perms", "1777", "--size", String(limits.diskBytes), "--tmpfs", SANDBOX_HOME],
    ...["--ro-bind", skillDir, SANDBOX_SKILL],
    ...["--ro-bind", isolation.node ?? process.execPath, SANDBOX_NODE],
    ...(workspaceDir === null ? [] : ["--bind", workspaceDir, SANDBOX_WORKSPACE]),
    ...(gate?.waits?.kind === "node" ? ["--ro-bind", gate.nodeGate, NODE_GATE_PATH] : []),
    ...terms.paths.flatMap(({ path, mode }) => [mode === "rw" ? "--bind" : "--ro-bind", path, path]),
    ...bindSecrets(secrets, SANDBOX_HOME, privileged),
    ...["--remount-ro", "/", "--chdir", SANDBOX_SKILL],
    ...(isolation.seccomp ? ["--seccomp", "3"] : []),
    ...(gated ? ["--info-fd", String(GATE.info), "--block-fd", String(GATE.block)] : []),
    "--",
    ...(privileged ? dropTo(isolation, uid, terms.capabilities) : []),
    ...limitCommand(limits, shellGate(gate)),
    ...(gate?.waits?.where === "interpreter" ? gate.waits.command : (words ?? [`${SANDBOX_SKILL}/${entry}`])),
  ];
}

/** Capabilities over the host's own things mean nothing inside a user namespace, so these runs have none; root drops to the run's id itself. */
function dropTo({ setpriv }: Bubblewrap, uid: number | null, capabilities: string[]): string[] {
  if (setpriv === null || uid === null) {
    throw new RunFailure(
      "spawn_failed",
      `This worker cannot give the capabilities ${capabilities.join(", ")}: it is not root.`,
    );
  }
  return dropCommand(setpriv, uid, capabilities);
}

/** From root to a run's id, for good, with these capabilities alone. */
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
 * Sets the limits and becomes the entry. Memory is limited as data, which is what a process may write to, and not as
 * address space: V8 reserves far more of that than it uses, and would not start. A limit that is already lower stays.
 * PWD is bubblewrap's and was not granted.
 */
export function limitCommand(limits: RunLimits, gate = ""): string[] {
  const set = [
    "-c 0",
    `-d ${Math.ceil(limits.memoryBytes / 1024)}`,
    `-t ${Math.ceil(limits.timeoutMs / 1000) + CPU_SECONDS_BEYOND}`,
    `-f ${Math.ceil(limits.fileBytes / 512)}`,
    `-n ${limits.openFiles}`,
  ].map((limit) => `ulimit ${limit};`);
  const processes = `ulimit -u ${limits.processes} || ulimit -p ${limits.processes};`;
  return ["/bin/sh", "-c", `unset PWD; { ${set.join(" ")} ${processes} } 2>/dev/null; ${gate}exec "$0" "$@"`];
}

/** What the shell does on the descriptor before it becomes the entry; an interpreter that waits does all of it itself. */
function shellGate(gate: SandboxRun["gate"]): string {
  if (!gate || gate.waits?.where === "interpreter") return "";
  const wait = gate.waits ? `read -r SKILLGATE_GATE <&${GATE_DESCRIPTOR} || exit 1; ` : "";
  return `echo >&${GATE_DESCRIPTOR}; ${wait}exec ${GATE_DESCRIPTOR}>&-; `;
}
