import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, lstatSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { RunLimits, RunTerms } from "../protocol";
import { probeCgroups } from "./cgroups";
import { type Bubblewrap, type Isolation, UID_POOL } from "./isolation";
import { sandboxCommand } from "./sandbox-command";
import { seccompFilter } from "./seccomp-filter";
import { spawnSandboxed } from "./spawn-sandboxed";

const PROGRAM_DIRS = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];
/** What programs of the host need to start. Nothing here is secret or writable. */
const SYSTEM_DIRS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store"];
const SYSTEM_FILES = [
  "/etc/ld.so.cache",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/nsswitch.conf",
];
const PROBE_MS = 10_000;

/**
 * Finds the strongest isolation this host allows by running a program in it, dropping what an older bubblewrap or a host
 * without seccomp does not have. `filterDir` receives the filters. Never throws: the reason is part of the answer.
 */
export async function probeIsolation(filterDir: string): Promise<Isolation> {
  if (process.platform !== "linux")
    return none(`There is no sandbox for ${process.platform} here; bubblewrap is for Linux.`);
  const program = findProgram("bwrap");
  if (program === null) return none("bubblewrap (bwrap) is not installed.");
  const full: Bubblewrap = {
    kind: "bubblewrap",
    program,
    version: await readVersion(program),
    seccomp: writeFilters(filterDir),
    disableUserns: true,
    uids: process.getuid?.() === 0 ? UID_POOL : null,
    setpriv: process.getuid?.() === 0 ? findProgram("setpriv") : null,
    nsenter: process.getuid?.() === 0 ? findProgram("nsenter") : null,
    cgroups: null,
    system: readSystem(),
  };
  let reason = "";
  for (const candidate of [full, { ...full, disableUserns: false }, { ...full, disableUserns: false, seccomp: null }]) {
    const failure = await tryOut(candidate);
    if (failure === null) return { ...candidate, cgroups: probeCgroups() };
    reason ||= failure;
  }
  return none(`bubblewrap does not work here: ${reason}`);
}

const none = (reason: string): Isolation => ({ kind: "none", reason });

function findProgram(name: string): string | null {
  return PROGRAM_DIRS.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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

/** Directories are bound; what is only a link on this host (`/bin` to `usr/bin`) becomes the same link inside. */
function readSystem(): Bubblewrap["system"] {
  const present = SYSTEM_DIRS.filter((path) => existsSync(path));
  const links = present.filter((path) => lstatSync(path).isSymbolicLink());
  return {
    binds: [...present.filter((path) => !links.includes(path)), ...SYSTEM_FILES.filter((path) => existsSync(path))],
    links: links.map((path) => ({ target: readlinkSync(path), path })),
  };
}

/** Null when a program ran inside as it should, else what went wrong. */
async function tryOut(isolation: Bubblewrap): Promise<string | null> {
  const command = sandboxCommand({
    isolation,
    skillDir: "/usr/bin",
    entry: "true",
    terms: RunTerms.parse({}),
    limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
    uid: isolation.uids?.first ?? null,
  });
  try {
    const child = await spawnSandboxed(isolation, command, {
      env: {},
      uid: isolation.uids?.first ?? null,
      unixSockets: false,
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), PROBE_MS);
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString("utf8")}`.slice(0, 500);
    });
    child.stdin.end();
    child.stdout.resume();
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    return code === 0 ? null : stderr.trim() || `it ended with code ${code}.`;
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
}
