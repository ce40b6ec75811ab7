import { findProgram } from "@/lib/core/find-program";
import { RunLimits } from "../protocol";
import { probeCgroups } from "./cgroups";
import { claimUids } from "./claim-uids";
import { endProcessesOf } from "./end-processes-of";
import type { SeparateUser } from "./isolation";
import { spawnDropped } from "./spawn-dropped";
import { PROBE_MS, tryOut } from "./try-out";
import { userCommand } from "./user-command";

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
