import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";

import { removeCgroups } from "../processes/control-groups";
import { type Outcome, RunLimits } from "../protocol";
import type { Bubblewrap } from "../sandbox/isolation";
import { probeIsolation } from "../sandbox/probe-isolation";
import { type LeaseKit, makeLease } from "../testing/make-lease";
import { startPrewarmedWorker } from "../testing/start-prewarmed-worker";
import { waitUntil } from "../testing/wait-until";

const LIMITS = { stdoutBytes: 1024, stderrBytes: 1024 };

let isolation: Bubblewrap | null = null;
let reason = "";

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
beforeAll(async () => {
  const found = await probeIsolation(filterDir);
  if (found.kind === "bubblewrap") isolation = found;
  else reason = `bubblewrap is what processes wait in here: ${JSON.stringify(found)}`;
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (isolation?.cgroups) removeCgroups(isolation.cgroups);
});

/** Returns what the same skill saw in a cold run and in a run in a prewarmed process. Each run has its own user id. */
async function coldAndWarm(fixture: string, edit?: (text: string) => string) {
  const worker = await startPrewarmedWorker(isolation as Bubblewrap, {
    env: { PATH: "/usr/bin:/bin", GRANTED: "yes" },
  });
  const kit = makeLease(fixture, { warm: "pack", env: ["PATH", "GRANTED"], args: { text: "hé" } }, edit);
  const cold = await worker.run(kit);
  await worker.waiting(1);
  const warm = await worker.run(kit);
  expect([cold.warm, warm.warm]).toEqual([false, true]);
  expect([cold.error, warm.error]).toEqual([null, null]);
  return { cold: withoutUid(cold), warm: withoutUid(warm) };
}

function withoutUid({ result }: Outcome): unknown {
  return JSON.parse(JSON.stringify(result).replace(/60\d{3}(?!\d)/g, "0"));
}

/**
 * Removes the command line, and the PWD that bubblewrap started the shell with; each shell gives its children one of the same
 * value.
 */
function withoutCommand(lines: unknown): string[] {
  return (lines as string[]).filter((line) => !line.startsWith("cmdline ") && line !== "PWD=/skill");
}

describe("a run in a process that waited", () => {
  it("looks to a shell script as any other, but for the command line that /proc shows", async ({ skip }) => {
    if (isolation === null) skip(reason);
    const { cold, warm } = await coldAndWarm("dump/dump.sh");
    expect(withoutCommand(warm)).toEqual(withoutCommand(cold));
  });

  it("looks to a script of the shell that sets the limits as to one whose shell the kernel starts", async ({
    skip,
  }) => {
    if (isolation === null) skip(reason);
    const read = await coldAndWarm("dump/dump.sh");
    const started = await coldAndWarm("dump/dump.sh", (text) => text.replace("#!/bin/sh", "#! /bin/sh"));
    expect(started.warm).toEqual(started.cold);
    expect(withoutCommand(read.cold)).toEqual(withoutCommand(started.cold));
    expect(withoutCommand(read.warm)).toEqual(withoutCommand(started.cold));
  });

  it("looks to Python as any other, but for the command line that /proc shows", async ({ skip }) => {
    if (isolation === null) skip(reason);
    const { cold, warm } = await coldAndWarm("dump/dump.py");
    const { command, ...seen } = warm as Record<string, unknown>;
    const { command: _cold, ...expected } = cold as Record<string, unknown>;
    expect(seen).toEqual(expected);
    expect(command).toContain("/skill/dump.py");
  });

  it.each(["dump/dump-node.cjs", "dump/dump-node.mjs"])(
    "looks to node as any other, but for the command line: %s",
    async (fixture) => {
      if (isolation === null) return;
      const { cold, warm } = await coldAndWarm(fixture);
      const { command: _warm, ...seen } = warm as Record<string, unknown>;
      const { command: _cold, ...expected } = cold as Record<string, unknown>;
      expect(seen).toEqual(expected);
    },
  );

  it.each([
    ["trouble.py", "raise"],
    ["trouble.py", "exit"],
    ["trouble.py", "code"],
    ["trouble.py", "signal"],
    ["trouble.py", "thread"],
    ["trouble.py", "interrupt"],
    ["trouble.py", "hook"],
    ["bad-syntax.py", ""],
    ["trouble.cjs", "raise"],
    ["trouble.cjs", "code"],
    ["trouble.cjs", "reject"],
    ["trouble.cjs", "signal"],
    ["exit-7.sh", ""],
    ["crash.sh", ""],
  ])("ends as any other: %s %s", async (fixture, how) => {
    if (isolation === null) return;
    const worker = await startPrewarmedWorker(isolation, { env: { PATH: "/usr/bin:/bin" } });
    const kit = makeLease(fixture, { warm: "pack", env: ["PATH"], args: { how } });
    const first = await worker.start(kit);
    const cold = await first.outcome;
    await worker.waiting(1);
    const second = await worker.start(kit);
    const warm = await second.outcome;
    expect([cold.warm, warm.warm]).toEqual([false, true]);
    expect(pickEnd(warm)).toEqual(pickEnd(cold));
    expect(second.texts("stderr")).toEqual(first.texts("stderr"));
  });

  it("has loaded in Python what reads its arguments, and no module of the skill", async ({ skip }) => {
    if (isolation === null) skip(reason);
    const worker = await startPrewarmedWorker(isolation as Bubblewrap);
    const script = "#!/usr/bin/python3\nimport sys\nseen = 'json' in sys.modules\nimport json\n";
    const telling = `${script}print(json.dumps([seen, json.__file__, json.load(sys.stdin)]))\n`;
    const plain = makeLease("tell-python.py", { warm: "plain", args: { n: 1 } }, () => telling);
    await worker.run(plain);
    await worker.waiting(1);
    const [isLoaded, file] = (await worker.run(plain)).result as [boolean, string];
    expect([isLoaded, file]).toEqual([true, expect.not.stringContaining("/skill")]);

    const own = "import sys\nsys.stderr.write('the skill')\ndumps = lambda _: '7'\nload = lambda _: 8\n";
    const shadowing = withFile(
      makeLease("tell-python.py", { warm: "own", args: {} }, () => telling),
      "json.py",
      own,
    );
    await worker.run(shadowing);
    await worker.waiting(3);
    const execution = await worker.start(shadowing);
    expect(await execution.outcome).toMatchObject({ warm: true, error: null, result: 7 });
    expect(execution.texts("stderr")).toEqual(["the skill"]);
  });

  it("is limited as a whole from when it is let go, where control groups are writable", async ({ skip }) => {
    if (isolation === null) skip(reason);
    if (isolation?.cgroups === null) skip("control groups are not writable");
    const worker = await startPrewarmedWorker(isolation as Bubblewrap);
    const script = [
      "#!/usr/bin/perl",
      "if (<STDIN> !~ /much/) { print '1'; exit; }",
      "select undef, undef, undef, 0.3;",
      "for my $n (1 .. 12) { next if fork; my $x = 'a' x 15_000_000; sleep 20; exit; }",
      "1 while wait != -1; print '1';",
    ];
    const limits = RunLimits.parse({ ...LIMITS, memoryBytes: 32 * 1024 ** 2, diskBytes: 1024 ** 2, timeoutMs: 3_000 });
    const leaseOf = (use: string) =>
      makeLease("echo.sh", { warm: "pack", limits, args: { use } }, () => `${script.join("\n")}\n`);
    await worker.run(leaseOf("little"));
    await worker.waiting(1);
    const execution = await worker.start(leaseOf("much"));
    expect((await execution.outcome).warm).toBe(true);
    expect(execution.texts("system").join()).toMatch(/took more than 33 MiB of memory/);
  });

  it("counts its time from the moment it is let go, and is ended at its limit like any other", async () => {
    if (isolation === null) return;
    const worker = await startPrewarmedWorker(isolation);
    const quick = makeLease("echo.sh", { warm: "pack", args: { n: 1 } });
    await worker.run(quick);
    await worker.waiting(1);
    const warm = await worker.run(quick);
    expect(warm.warm).toBe(true);
    expect(new Date(warm.startedAt).getTime()).toBeGreaterThan(Date.now() - warm.durationMs - 5_000);
    const limits = { ...quick.lease.limits, timeoutMs: 300 };
    const slow = makeLease("stubborn.sh", { warm: "slow", limits });
    await worker.run(slow);
    await waitUntil("the slow one's next process", () => worker.pool.processes().length === 3);
    const ended = await worker.run(slow);
    expect(ended).toMatchObject({ warm: true, timedOut: true, error: { code: "timed_out" } });
  });
});

function withFile({ lease, blobs }: LeaseKit, path: string, text: string): LeaseKit {
  const bytes = Buffer.from(text);
  const file = { path, mode: "644" as const, sha256: sha256Hex(bytes), size: bytes.length };
  const files = [...lease.files, file];
  return {
    lease: { ...lease, files, versionDigest: digestFiles(files) },
    blobs: new Map([...blobs, [file.sha256, bytes]]),
  };
}

function pickEnd({ error, exitCode, signal, result, timedOut }: Outcome) {
  return { error, exitCode, signal, result, timedOut };
}
