import { RunFailure } from "../launch/run-failure";
import { type ScriptCommand, wordsOf } from "../launch/script-command";
import type { RunLimits } from "../protocol";
import { GATE_DESCRIPTORS } from "../warm/gate-command";
import type { Bubblewrap } from "./claim-uids";
import { GATE } from "./open-hosts";
import { type MountedRun, rootMounts } from "./root-mounts";
import { SANDBOX_SKILL } from "./sandbox-places";

/** CPU time counts for each process; a run may use several cores, so the wall clock ends it first. */
const CPU_SECONDS_BEYOND = 5;

export type SandboxRun = MountedRun & {
  /** Relative to the skill. */
  entry: string;
  /** The real user id of the run; null keeps the worker's own. */
  uid: number | null;
  /** Says who is inside and waits for a byte, on the descriptors of GATE. */
  gated?: boolean;
  /** A script that a decision made the entry. */
  script?: ScriptCommand | null;
  /** The entry is a script of the very shell that sets the limits, which goes on with it instead of starting another. */
  isOfShell?: boolean;
};

export const NAMESPACES = ["ipc", "pid", "net", "uts", "cgroup"];

/**
 * The bubblewrap command line of a run: every namespace of its own except those granted, no capability except those
 * granted, the host's programs and the skill read-only, one sized file system of its own. The seccomp filter, when there
 * is one, is expected on descriptor 3. The environment is the one bubblewrap is started with, so that no value stands in
 * a command line, which every account of the host may read. Throws RunFailure for a grant this worker cannot give.
 */
export function sandboxCommand(run: SandboxRun): string[] {
  const { isolation, entry, terms, limits, uid, gated, gate = null, isOfShell = false } = run;
  const shared = new Set(terms.namespaces);
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
    ...rootMounts(run),
    ...["--chdir", SANDBOX_SKILL],
    ...(isolation.seccomp ? ["--seccomp", "3"] : []),
    ...(gated ? ["--info-fd", String(GATE.info), "--block-fd", String(GATE.block)] : []),
    "--",
    ...(privileged ? dropTo(isolation, uid, terms.capabilities) : []),
    ...limitCommand(limits, { gate: shellGate(gate), isOfShell }),
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
 * PWD is bubblewrap's and was not granted; each shell gives itself one of the same value.
 */
export function limitCommand(limits: RunLimits, { gate = "", isOfShell = false } = {}): string[] {
  const set = [
    "-c 0",
    `-d ${Math.ceil(limits.memoryBytes / 1024)}`,
    `-t ${Math.ceil(limits.timeoutMs / 1000) + CPU_SECONDS_BEYOND}`,
    `-f ${Math.ceil(limits.fileBytes / 512)}`,
    `-n ${limits.openFiles}`,
  ].map((limit) => `ulimit ${limit};`);
  const processes = `ulimit -u ${limits.processes} || ulimit -p ${limits.processes};`;
  const become = isOfShell ? 'unset SKILLGATE_GATE; . "$0"' : 'unset PWD; exec "$0" "$@"';
  return ["/bin/sh", "-c", `{ ${set.join(" ")} ${processes} } 2>/dev/null; ${gate}${become}`];
}

/** What the shell does on the descriptor before it becomes the entry; an interpreter that waits does all of it itself. */
function shellGate(gate: SandboxRun["gate"]): string {
  if (!gate || gate.waits?.where === "interpreter") return "";
  const { tell, wait } = GATE_DESCRIPTORS;
  const waiting = gate.waits ? `read -r SKILLGATE_GATE <&${wait} || exit 1; exec ${wait}<&-; ` : "";
  return `echo >&${tell}; ${waiting}exec ${tell}>&-; `;
}
