import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import { probeCgroups } from "./cgroups";
import { claimUids } from "./claim-uids";
import type { Bubblewrap } from "./isolation";
import { readSystem } from "./read-system";
import { seccompFilter } from "./seccomp-filter";
import { tryBubblewrap } from "./try-bubblewrap";

/**
 * Tries bubblewrap, dropping what an older one or a host without seccomp does not have. `filterDir` receives the filters.
 * Answers why when it does not work.
 */
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
  let reason = "";
  const candidates = [
    // The filter refuses them already, and bubblewrap would make a second one for it.
    { ...full, disableUserns: full.seccomp === null },
    { ...full, seccomp: null },
    { ...full, seccomp: null, disableUserns: false },
  ];
  for (const candidate of candidates) {
    const failure = await tryBubblewrap(candidate);
    if (failure === null) return { ...candidate, cgroups: probeCgroups() };
    reason ||= failure;
  }
  return `bubblewrap does not work here: ${reason}`;
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
