import type { EntryProcess } from "../launch/spawn-entry";

export const PROBE_MS = 10_000;

/** Runs a program to its end: null when it did as it should, else what went wrong. Never throws. */
export async function tryOut(start: () => Promise<EntryProcess>, expected = ""): Promise<string | null> {
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
    return stdout.trim() === expected ? null : `it said “${stdout.trim()}”.`;
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
}
