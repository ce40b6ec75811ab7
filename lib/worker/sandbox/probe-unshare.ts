import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "@/lib/core/find-program";
import { RunLimits, RunTerms } from "../protocol";
import { probeCgroups } from "./cgroups";
import type { Unshared } from "./claim-uids";
import { claimUids } from "./claim-uids";
import { readSystem } from "./read-system";
import { spawnDropped } from "./spawn-dropped";
import { PROBE_MS, tryOut } from "./try-out";
import { unshareCommand } from "./unshare-command";

const PROGRAMS = ["unshare", "setpriv", "setsid", "mount", "umount", "pivot_root", "mkdir", "ln", "cat"] as const;

/** Tries namespaces made by root with the system's own programs, without a loopback where that fails. Answers why not. */
export async function probeUnshare(dir: string, whyNotMore: string): Promise<Unshared | string> {
  const found = PROGRAMS.map((name) => [name, findProgram(name)] as const);
  const missing = found.flatMap(([name, path]) => (path === null ? [name] : []));
  if (missing.length > 0) return `Namespaces cannot be made either: there is no ${missing.join(", no ")}.`;
  const uids = await claimUids();
  if (uids === null) return "Namespaces cannot be made either: the user ids for runs are all taken.";
  const rootDir = join(dir, "root");
  mkdirSync(rootDir, { recursive: true, mode: 0o700 });
  const full: Unshared = {
    kind: "unshare",
    version: await readVersion(),
    whyNotMore,
    programs: Object.fromEntries(found) as Unshared["programs"],
    ip: findProgram("ip"),
    rootDir,
    uids,
    nsenter: findProgram("nsenter"),
    cgroups: null,
    system: readSystem(),
  };
  let reason = "";
  for (const candidate of [full, { ...full, ip: null, nsenter: null }]) {
    const failure = await tryOut(() => spawnId(candidate), String(uids.first));
    if (failure === null) return { ...candidate, nsenter: candidate.ip && candidate.nsenter, cgroups: probeCgroups() };
    reason ||= failure;
  }
  return `Namespaces cannot be made either: ${reason}`;
}

function spawnId(isolation: Unshared) {
  return spawnDropped([...trialUnshared(isolation), "/bin/sh", "-c", "id -u"], { env: {} });
}

/** The command line of a run that was granted nothing, up to the program. */
export function trialUnshared(isolation: Unshared, { gated = false } = {}): string[] {
  const command = unshareCommand({
    isolation,
    skillDir: "/usr/bin",
    entry: "whoami-id",
    terms: RunTerms.parse({}),
    limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
    uid: isolation.uids.first,
    gated,
  });
  return command.slice(0, -1);
}

async function readVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)("/usr/bin/unshare", ["--version"]).catch(() => ({ stdout: "" }));
  return /\d[\d.]*/.exec(stdout)?.[0] ?? "unknown";
}
