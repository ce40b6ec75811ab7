import type { EntryProcess } from "../spawn-entry";
import type { Isolation } from "./isolation";
import { openHosts } from "./open-hosts";
import { trialUnshared } from "./probe-unshare";
import { spawnDropped } from "./spawn-dropped";
import { spawnSandboxed } from "./spawn-sandboxed";
import { trialCommand } from "./try-bubblewrap";
import { tryOut } from "./try-out";

/** Whether a run can have a network of its own with a proxy, found by giving one to a program. Never throws. */
export async function tryProxy(isolation: Isolation): Promise<boolean> {
  if (isolation.kind !== "bubblewrap" && isolation.kind !== "unshare") return false;
  const { nsenter } = isolation;
  if (nsenter === null) return false;
  const policy = { hosts: [], refuses: () => "it is a trial" };
  const failure = await tryOut(async () => {
    const child = await (isolation.kind === "bubblewrap" ? startBubblewrap(isolation) : startUnshared(isolation));
    const pid = isolation.kind === "unshare" ? { pid: child.pid } : {};
    await openHosts(child, { nsenter, policy, emit: () => {}, ...pid });
    return child;
  });
  return failure === null;
}

function startBubblewrap(isolation: Extract<Isolation, { kind: "bubblewrap" }>): Promise<EntryProcess> {
  const uid = isolation.uids?.first ?? null;
  const command = trialCommand(isolation, uid, { gated: true });
  return spawnSandboxed(isolation, command, { env: {}, uid, unixSockets: false, gated: true });
}

function startUnshared(isolation: Extract<Isolation, { kind: "unshare" }>): Promise<EntryProcess> {
  return spawnDropped([...trialUnshared(isolation, { gated: true }), "/bin/true"], { env: {}, gated: true });
}
