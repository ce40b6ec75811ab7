import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryLaunch, startDirectly } from "../launch/direct-launcher";
import { removeCgroups } from "../processes/control-groups";
import type { Isolation } from "../sandbox/isolation";
import { probeIsolation } from "../sandbox/probe-isolation";
import { executeLease } from "../testing/execute-lease";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { buildEnv } from "./prepare-entry";

const NO_SANDBOX: Isolation = { kind: "none", reason: "not asked for" };

let isolation: Isolation;

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
beforeAll(async () => {
  isolation = await probeIsolation(filterDir);
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
});

/**
 * Returns what bash reports about its start when an entry calls it with the worker's kind of stdin, with a trap in its home.
 */
async function startBash(env: Record<string, string>, home: string): Promise<string> {
  writeFileSync(join(home, ".bashrc"), "SOURCED=yes\n");
  const entryPath = fileURLToPath(new URL("../fixtures/tell-start-up.sh", import.meta.url));
  const child = await startDirectly(entryLaunch(entryPath, { cwd: home, env }));
  // It may end without reading its input.
  child.stdin.on("error", () => {}).end("{}");
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  return (JSON.parse(text) as { sourced: string }).sourced;
}

describe("an entry that calls bash", () => {
  it("does not source a start-up file, though its stdin is a socket as a remote shell's is", async ({ skip }) => {
    const home = makeWorkDir();
    const env = buildEnv([], {}, home);
    // Control: without SHLVL the same bash reads the trap.
    const { SHLVL: _level, ...without } = env;
    if ((await startBash(without, home)) !== "yes") skip("This bash is built without the trap.");
    expect(await startBash(env, home)).toBe("");
  });

  it("is told in its sandbox that it is no first shell, and has a home of its own", async ({ skip }) => {
    if (isolation.kind !== "bubblewrap") skip("no bubblewrap");
    const { outcome } = await executeLease(makeLease("tell-start-up.sh"), { isolation });
    expect((await outcome).result).toEqual({ level: "1", home: "/tmp", sourced: "" });
  });
});

describe("an interpreter", () => {
  /** A PATH as a version manager sets it: its own python3 in a home directory comes first. */
  function shimmedPath(): string {
    const shims = makeWorkDir();
    writeFileSync(join(shims, "python3"), "#!/bin/sh\necho '\"shim\"'\n");
    chmodSync(join(shims, "python3"), 0o755);
    return `${shims}:/usr/bin:/bin`;
  }

  it("is the system's when PATH was not granted, even if the worker's own PATH names another", async () => {
    const env = { PATH: shimmedPath() };
    const { outcome } = await executeLease(makeLease("tell-python.py"), { isolation: NO_SANDBOX, env });
    expect((await outcome).result).toBe(realpathSync("/usr/bin/python3"));
  });

  it.each([[], ["PATH"]])("is the system's in a sandbox, which shows no shims: granted %s", async (...granted) => {
    if (isolation.kind !== "bubblewrap") return;
    const env = { PATH: shimmedPath() };
    const { outcome } = await executeLease(makeLease("tell-python.py", { env: granted }), { isolation, env });
    expect((await outcome).result).toBe(realpathSync("/usr/bin/python3"));
  });

  it("that is named by its path is that one", async () => {
    const env = { PATH: shimmedPath() };
    const { outcome } = await executeLease(makeLease("report.py", { env: ["PATH"] }), { isolation: NO_SANDBOX, env });
    expect((await outcome).result).not.toBe("shim");
    expect((await outcome).error).toBeNull();
  });
});

describe("the figures of a run", () => {
  it.each(["none", "sandbox"])("tell its processor time and its most memory: %s", async (kind) => {
    if (kind === "sandbox" && isolation.kind !== "bubblewrap") return;
    const { outcome } = await executeLease(makeLease("use-much.py"), {
      isolation: kind === "none" ? NO_SANDBOX : isolation,
    });
    const { result, warm, sandboxMs, cpuMs, peakMemoryBytes } = await outcome;
    expect(result).toBe(true);
    expect(warm).toBe(false);
    expect(sandboxMs).toBeGreaterThan(0);
    expect(cpuMs).toBeGreaterThanOrEqual(190);
    expect(peakMemoryBytes).toBeGreaterThanOrEqual(64 * 1024 ** 2);
  });

  it("are not made up for a run that was over before anybody looked", async () => {
    const { outcome } = await executeLease(makeLease("silent.sh"));
    const { cpuMs, peakMemoryBytes } = await outcome;
    expect([cpuMs, peakMemoryBytes]).toEqual([null, null]);
  });
});
