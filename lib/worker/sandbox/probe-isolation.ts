import { findProgram } from "@/lib/core/find-program";
import { RunLimits } from "../protocol";
import { probeCgroups } from "./cgroups";
import type { Isolation, SeparateUser } from "./claim-uids";
import { claimUids } from "./claim-uids";
import { endProcessesOf } from "./end-processes-of";
import { probeBubblewrap } from "./probe-bubblewrap";
import { probeUnshare } from "./probe-unshare";
import { spawnDropped } from "./spawn-dropped";
import { PROBE_MS, tryOut } from "./try-out";
import { userCommand } from "./user-command";

/** What an operator may hold a worker to: the strongest there is, or at most one of the weaker ones. */
export type Strongest = "auto" | "unshare" | "user";

/**
 * Finds the strongest isolation this host allows by running a program in it: bubblewrap, for root also namespaces made
 * with util-linux, for root in the end a user id for each run. `dir` receives filters and a mount point. Never throws: why
 * it is nothing stronger is part of the answer.
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

/** Tries a user id of its own for each run, without setpriv where that fails. Answers why not. */
export async function probeSeparateUser(whyNotMore: string): Promise<SeparateUser | string> {
  const uids = await claimUids();
  if (uids === null) return "The user ids for runs are all taken.";
  const full: SeparateUser = { kind: "user", whyNotMore, setpriv: findProgram("setpriv"), uids, cgroups: null };
  let reason = "";
  for (const candidate of [full, { ...full, setpriv: null }]) {
    const failure = await tryOut(() => spawnId(candidate), String(uids.first));
    if (failure === null) {
      // Nobody else has these ids: what has one was left by a worker that was killed.
      endProcessesOf(uids);
      return { ...candidate, cgroups: probeCgroups() };
    }
    reason ||= failure;
  }
  return `Runs cannot have a user id of their own either: ${reason}`;
}

function spawnId(isolation: SeparateUser) {
  const uid = isolation.uids.first;
  const limits = RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 });
  const command = userCommand({ isolation, entryPath: "/bin/sh", limits, uid });
  return spawnDropped([...command, "-c", "id -u"], { env: {}, uid: isolation.setpriv ? null : uid });
}
