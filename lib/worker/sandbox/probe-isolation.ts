import { execFile } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import { droppingLaunch, startDirectly } from "../launch/direct-launcher";
import { probeCgroups } from "../processes/control-groups";
import { claimUids, endProcessesOf } from "../processes/user-ids";
import { RunLimits } from "../protocol";
import type { Bubblewrap, Isolation, SeparateUser, Unshared } from "./isolation";
import { userCommand } from "./sandbox-command";
import { seccompFilter } from "./seccomp-filter";
import { PROBE_MS, runTrial, trialUnshared, tryBubblewrap } from "./trial-runs";

/** The strongest isolation that the operator allows: the best available, or at most a weaker one. */
export type Strongest = "auto" | "unshare" | "user";

/**
 * Finds the strongest isolation this host allows by running a program in it: bubblewrap; for root also namespaces made with
 * util-linux, then a user id for each run. `dir` receives filters and a mount point. Never throws: the result explains why it
 * is nothing stronger.
 */
export async function probeIsolation(dir: string, strongest: Strongest = "auto"): Promise<Isolation> {
  if (process.platform !== "linux")
    return { kind: "none", reason: `There is no sandbox for ${process.platform} here; bubblewrap is for Linux.` };
  let whyNotMore = "The operator asked for less than bubblewrap (SKILLGATE_WORKER_SANDBOX).";
  if (strongest === "auto") {
    const found = await probeBubblewrap(dir);
    if (typeof found !== "string") return found;
    whyNotMore = found;
  }
  if (process.getuid?.() !== 0) return { kind: "none", reason: whyNotMore };
  if (strongest !== "user") {
    const found = await probeUnshare(dir, whyNotMore);
    if (typeof found !== "string") return found;
    whyNotMore = `${whyNotMore} ${found}`;
  }
  const found = await probeSeparateUser(whyNotMore);
  return typeof found === "string" ? { kind: "none", reason: `${whyNotMore} ${found}` } : found;
}

/** Tries a user id of its own for each run, without setpriv where that fails. Returns the reason if both fail. */
export async function probeSeparateUser(whyNotMore: string): Promise<SeparateUser | string> {
  const uids = await claimUids();
  if (uids === null) return "The user ids for runs are all taken.";
  const full: SeparateUser = { kind: "user", whyNotMore, setpriv: findProgram("setpriv"), uids, cgroups: null };
  const found = await findWorking([full, { ...full, setpriv: null }], (candidate) =>
    runTrial(() => startAsUser(candidate), String(uids.first)),
  );
  if (typeof found === "string") return `Runs cannot have a user id of their own either: ${found}`;
  // Only this worker may use these ids: processes that have one were left by a killed worker.
  endProcessesOf(uids);
  return { ...found, cgroups: probeCgroups() };
}

async function findWorking<T>(candidates: T[], attempt: (candidate: T) => Promise<string | null>): Promise<T | string> {
  let reason = "";
  for (const candidate of candidates) {
    const failure = await attempt(candidate);
    if (failure === null) return candidate;
    reason ||= failure;
  }
  return reason;
}

function startAsUser(isolation: SeparateUser) {
  const uid = isolation.uids.first;
  const limits = RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 });
  const command = userCommand({ isolation, entryPath: "/bin/sh", limits, uid });
  return startDirectly(droppingLaunch([...command, "-c", "id -u"], { env: {}, uid: isolation.setpriv ? null : uid }));
}

const PROGRAMS = ["unshare", "setpriv", "setsid", "mount", "umount", "pivot_root", "mkdir", "ln", "cat"] as const;

/** Tries namespaces made by root, without a loopback if that fails. Returns the reason if both fail. */
export async function probeUnshare(dir: string, whyNotMore: string): Promise<Unshared | string> {
  const found = PROGRAMS.map((name) => [name, findProgram(name)] as const);
  const missing = found.flatMap(([name, path]) => (path === null ? [name] : []));
  if (missing.length > 0) return `Namespaces cannot be made either: there is no ${missing.join(", no ")}.`;
  const uids = await claimUids();
  if (uids === null) return "Namespaces cannot be made either: the user ids for runs are all taken.";
  const programs = Object.fromEntries(found) as Unshared["programs"];
  const rootDir = join(dir, "root");
  mkdirSync(rootDir, { recursive: true, mode: 0o700 });
  const full: Unshared = {
    kind: "unshare",
    version: await readVersion(programs.unshare),
    whyNotMore,
    programs,
    ip: findProgram("ip"),
    rootDir,
    uids,
    nsenter: findProgram("nsenter"),
    cgroups: null,
    system: readSystem(),
  };
  const working = await findWorking([full, { ...full, ip: null, nsenter: null }], (candidate) =>
    runTrial(() => startUnshared(candidate), String(uids.first)),
  );
  if (typeof working === "string") return `Namespaces cannot be made either: ${working}`;
  return { ...working, nsenter: working.ip && working.nsenter, cgroups: probeCgroups() };
}

function startUnshared(isolation: Unshared) {
  return startDirectly(droppingLaunch([...trialUnshared(isolation), "/bin/sh", "-c", "id -u"], { env: {} }));
}

/** Directories and files that programs of the host need. None is secret or writable. */
const SYSTEM_DIRS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"];
const SYSTEM_FILES = [
  "/etc/ld.so.cache",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/nsswitch.conf",
];

function readSystem(): Bubblewrap["system"] {
  const present = SYSTEM_DIRS.filter((path) => existsSync(path));
  const links = present.filter((path) => lstatSync(path).isSymbolicLink());
  return {
    dirs: present.filter((path) => !links.includes(path)),
    files: SYSTEM_FILES.filter((path) => existsSync(path)),
    links: links.map((path) => ({ target: readlinkSync(path), path })),
  };
}

/** Tries bubblewrap, without features that this host lacks. Returns the reason if it fails. */
export async function probeBubblewrap(filterDir: string): Promise<Bubblewrap | string> {
  const program = findProgram("bwrap");
  if (program === null) return "bubblewrap (bwrap) is not installed.";
  const isRoot = process.getuid?.() === 0;
  const uids = isRoot ? await claimUids() : null;
  if (isRoot && uids === null) return "The user ids for runs are all taken by other workers of this host.";
  const full: Bubblewrap = {
    kind: "bubblewrap",
    program,
    version: await readVersion(program),
    seccomp: writeFilters(filterDir),
    disableUserns: true,
    uids,
    setpriv: isRoot ? findProgram("setpriv") : null,
    nsenter: isRoot ? findProgram("nsenter") : null,
    cgroups: null,
    system: readSystem(),
  };
  const candidates = [
    // The filter already refuses user namespaces, and bubblewrap would create a second one for this option.
    { ...full, disableUserns: full.seccomp === null },
    { ...full, seccomp: null },
    { ...full, seccomp: null, disableUserns: false },
  ];
  const found = await findWorking(candidates, tryBubblewrap);
  return typeof found === "string" ? `bubblewrap does not work here: ${found}` : { ...found, cgroups: probeCgroups() };
}

async function readVersion(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ["--version"], { env: {} as NodeJS.ProcessEnv }).catch(() => ({
    stdout: "",
  }));
  return /\d[\d.]*/.exec(stdout)?.[0] ?? "unknown";
}

function writeFilters(dir: string): Bubblewrap["seccomp"] {
  const plain = seccompFilter(process.arch, { unixSockets: false });
  const unixSockets = seccompFilter(process.arch, { unixSockets: true });
  if (!plain || !unixSockets) return null;
  const paths = { plain: join(dir, "filter.bpf"), unixSockets: join(dir, "filter-unix.bpf") };
  writeFileSync(paths.plain, plain, { mode: 0o600 });
  writeFileSync(paths.unixSockets, unixSockets, { mode: 0o600 });
  return paths;
}
