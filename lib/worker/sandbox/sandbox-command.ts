import type { RunLimits, RunTerms } from "../protocol";
import { RunFailure } from "../run-failure";
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
  /** Says who is inside and waits for a byte, on the descriptors of GATE. */
  gated?: boolean;
};

const NAMESPACES = ["ipc", "pid", "net", "uts", "cgroup"];
/** Home and temporary files: a file system of its own that ends with the run. */
export const SANDBOX_HOME = "/tmp";
export const SANDBOX_SKILL = "/skill";

/**
 * The bubblewrap command line of a run: every namespace of its own except those granted, no capability except those
 * granted, the host's programs and the skill read-only, one sized file system of its own. The seccomp filter, when there
 * is one, is expected on descriptor 3. The environment is the one bubblewrap is started with, so that no value stands in
 * a command line, which every account of the host may read. Throws RunFailure for a grant this worker cannot give.
 */
export function sandboxCommand({ isolation, skillDir, entry, terms, limits, uid, gated }: SandboxRun): string[] {
  const shared = new Set([...terms.namespaces, ...(terms.network ? ["net"] : [])]);
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
    ...terms.paths.flatMap(({ path, mode }) => [mode === "rw" ? "--bind" : "--ro-bind", path, path]),
    ...["--remount-ro", "/", "--chdir", SANDBOX_SKILL],
    ...(isolation.seccomp ? ["--seccomp", "3"] : []),
    ...(gated ? ["--info-fd", String(GATE.info), "--block-fd", String(GATE.block)] : []),
    "--",
    ...(privileged ? dropTo(isolation, uid, terms.capabilities) : []),
    ...limitCommand(limits),
    `${SANDBOX_SKILL}/${entry}`,
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
  const names = capabilities.map((name) => `+${name.replace(/^CAP_/, "").toLowerCase()}`).join(",");
  return [
    setpriv,
    ...["--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--no-new-privs"],
    ...["--inh-caps", `-all,${names}`, "--ambient-caps", `-all,${names}`, "--bounding-set", `-all,${names}`],
    "--",
  ];
}

/**
 * Sets the limits and becomes the entry. Memory is limited as data, which is what a process may write to, and not as
 * address space: V8 reserves far more of that than it uses, and would not start. A limit that is already lower stays.
 * PWD is bubblewrap's and was not granted.
 */
function limitCommand(limits: RunLimits): string[] {
  const set = [
    "-c 0",
    `-d ${Math.ceil(limits.memoryBytes / 1024)}`,
    `-t ${Math.ceil(limits.timeoutMs / 1000) + CPU_SECONDS_BEYOND}`,
    `-f ${Math.ceil(limits.fileBytes / 512)}`,
    `-n ${limits.openFiles}`,
  ].map((limit) => `ulimit ${limit};`);
  const processes = `ulimit -u ${limits.processes} || ulimit -p ${limits.processes};`;
  return ["/bin/sh", "-c", `unset PWD; { ${set.join(" ")} ${processes} } 2>/dev/null; exec "$0"`];
}
