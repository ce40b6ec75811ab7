import { bubblewrapLaunch, startDirectly } from "../launch/direct-launcher";
import type { EntryProcess } from "../launch/launcher";
import { RunLimits, RunTerms } from "../protocol";
import type { Bubblewrap, Unshared } from "./isolation";
import { sandboxCommand } from "./sandbox-command";
import { unshareCommand } from "./unshare-command";

export const PROBE_MS = 10_000;

/** Runs a program to its end: null when it exited with 0 and printed `expected`, else the problem. Never throws. */
export async function runTrial(start: () => Promise<EntryProcess>, expected = ""): Promise<string | null> {
  try {
    const child = await start();
    const timer = setTimeout(() => child.kill("SIGKILL"), PROBE_MS);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout = `${stdout}${chunk.toString("utf8")}`.slice(0, 500);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString("utf8")}`.slice(0, 500);
    });
    child.stdin.on("error", () => {}).end();
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    if (code !== 0) return stderr.trim() || `it ended with code ${code}.`;
    return stdout.trim() === expected ? null : `it printed “${stdout.trim()}”.`;
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
}

/** Runs a program as a run without grants: null when it succeeded, else the problem. Never throws. */
export function tryBubblewrap(isolation: Bubblewrap): Promise<string | null> {
  const uid = isolation.uids?.first ?? null;
  return runTrial(() => startDirectly(bubblewrapLaunch(isolation, trialCommand(isolation, uid), { env: {}, uid })));
}

/** The command line of a run without grants that prints nothing and succeeds. */
export function trialCommand(isolation: Bubblewrap, uid: number | null, { isBlocked = false } = {}): string[] {
  return sandboxCommand({
    isolation: { ...isolation, node: isolation.node ?? isolation.program },
    skillDir: "/usr/bin",
    entry: "true",
    terms: RunTerms.parse({}),
    limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
    uid,
    isBlocked,
  });
}

/** The command line of a run without grants, up to the program. */
export function trialUnshared(isolation: Unshared, { isBlocked = false } = {}): string[] {
  const command = unshareCommand({
    isolation,
    skillDir: "/usr/bin",
    entry: "whoami-id",
    terms: RunTerms.parse({}),
    limits: RunLimits.parse({ timeoutMs: PROBE_MS, stdoutBytes: 1024, stderrBytes: 1024 }),
    uid: isolation.uids.first,
    isBlocked,
  });
  return command.slice(0, -1);
}
