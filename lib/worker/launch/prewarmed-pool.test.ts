import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeCgroups } from "../processes/control-groups";
import { listChildren } from "../processes/process-tree";
import { measureMemory } from "../processes/process-use";
import type { Bubblewrap } from "../sandbox/isolation";
import { probeIsolation } from "../sandbox/probe-isolation";
import type { Execution } from "../testing/execute-lease";
import { isAlive } from "../testing/is-alive";
import { makeLease } from "../testing/make-lease";
import { type PrewarmedWorker, startPrewarmedWorker } from "../testing/start-prewarmed-worker";
import { waitUntil } from "../testing/wait-until";

const MINUTE_MS = 60_000;
/** The clock stands still, so all runs are within the same second. */
const FIVE_PROCESSES = { slotCount: 2, memoryMiB: 50, measure: () => 10 * 1024 ** 2, now: () => 0 };

let isolation: Bubblewrap;
let reason: string | null = null;

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
beforeAll(async () => {
  const found = await probeIsolation(filterDir);
  if (found.kind === "bubblewrap") isolation = found;
  else reason = `Processes wait in bubblewrap: ${JSON.stringify(found)}`;
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (reason === null && isolation.cgroups) removeCgroups(isolation.cgroups);
});

const pids = ({ pool }: PrewarmedWorker) => pool.processes().map(({ pid }) => pid);
const areGone = (gone: number[]) => waitUntil("their end", () => !gone.some(isAlive));

describe.runIf(process.platform === "linux")("processes that wait", () => {
  it("start once a pack ran, are replaced when taken, and have a user id each that comes back", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation);
    const total = worker.uids.left();
    const kit = makeLease("echo.sh", { warm: "pack", args: { n: 1 } });
    expect(pids(worker)).toEqual([]);
    await worker.run(kit);
    await worker.waiting(1);
    const [first] = pids(worker);
    expect(await worker.run(kit)).toMatchObject({ warm: true, result: { n: 1 } });
    await worker.waiting(2);
    expect(pids(worker)).not.toContain(first);
    if (isolation.uids) expect(worker.uids.left()).toBe(total - 2);
    worker.pool.close();
    await waitUntil("all ids", () => worker.uids.left() === total);
  });

  it("do not exist for what is not allowed to wait, and not before the server has allowed memory", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation, { memoryMiB: 0 });
    await worker.run(makeLease("echo.sh", { warm: "pack" }));
    worker.pool.applyServerState({ memoryMiB: 256, current: [] }, []);
    const { terms } = makeLease("echo.sh").lease;
    for (const changes of [
      { warm: null },
      { warm: "net", terms: { ...terms, network: true } },
      { warm: "paths", terms: { ...terms, paths: [{ path: "/var", mode: "ro" as const }] } },
      { warm: "secret", secrets: [{ as: "env" as const, name: "TOKEN", value: "canary", credential: "c" }] },
    ]) {
      expect((await worker.run(makeLease("echo.sh", changes))).error).toBeNull();
      expect((await worker.run(makeLease("echo.sh", changes))).warm).toBe(false);
    }
    await worker.run(makeLease("echo.sh", { warm: "allowed" }));
    await worker.waiting(1);
    expect(worker.pool.packsToCheck()).toEqual(["allowed"]);
  });

  it("end when the server names their pack no more, and all when it forbids them", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation);
    for (const warm of ["revoked", "standing"]) {
      await worker.run(makeLease("echo.sh", { warm }));
    }
    await worker.waiting(2);
    const asked = worker.pool.packsToCheck() ?? [];
    const all = pids(worker);
    worker.pool.applyServerState({ memoryMiB: 256, current: ["standing"] }, asked);
    expect(pids(worker)).toHaveLength(1);
    await areGone(all.filter((pid) => !pids(worker).includes(pid)));
    worker.pool.applyServerState({ memoryMiB: 0, current: ["standing"] }, ["standing"]);
    expect(pids(worker)).toEqual([]);
    await areGone(all);
  });

  it("hold no more memory than allowed: the pool evicts the least recently used pack", async ({ skip }) => {
    if (reason !== null) skip(reason);
    let minutes = 0;
    const worker = await startPrewarmedWorker(isolation, {
      env: { PATH: "/usr/bin:/bin" },
      memoryMiB: 60,
      measure: () => 40 * 1024 ** 2,
      now: () => performance.now() + minutes * MINUTE_MS,
    });
    const node = (warm: string) => makeLease("trouble.cjs", { warm, env: ["PATH"], args: { how: "" } });
    await worker.run(node("old"));
    await worker.waiting(1);
    const [old] = pids(worker);
    minutes += 1;
    await worker.run(node("new"));
    await waitUntil("another process", () => pids(worker).length === 1 && pids(worker)[0] !== old);
    await areGone([old ?? 0]);
    worker.pool.applyServerState({ memoryMiB: 39, current: [] }, []);
    expect(pids(worker)).toEqual([]);
  });

  it("count for all that they hold, sandbox and interpreter", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation, { env: { PATH: "/usr/bin:/bin" } });
    for (const [name, kind] of [
      ["echo.sh", "program"],
      ["trouble.cjs", "node"],
    ] as const) {
      await worker.run(makeLease(name, { warm: kind, env: ["PATH"], args: { how: "" } }));
    }
    await worker.waiting(2);
    const held = new Map(worker.pool.processes().map(({ kind, pid }) => [kind, measureMemory(pid)]));
    expect(held.get("program")).toBeGreaterThan(0);
    expect(held.get("node")).toBeGreaterThan((held.get("program") ?? 0) + 1024 ** 2);
    const [gone] = pids(worker);
    worker.pool.close();
    await areGone([gone ?? 0]);
    expect(measureMemory(gone ?? 0)).toBe(0);
  });

  it("are dropped when their pack was not run for five minutes", async ({ skip }) => {
    if (reason !== null) skip(reason);
    let minutes = 0;
    const worker = await startPrewarmedWorker(isolation, { now: () => performance.now() + minutes * MINUTE_MS });
    await worker.run(makeLease("echo.sh", { warm: "pack" }));
    await worker.waiting(1);
    const waiting = pids(worker);
    minutes = 4;
    worker.pool.tidy();
    expect(pids(worker)).toEqual(waiting);
    minutes = 6;
    worker.pool.tidy();
    expect(pids(worker)).toEqual([]);
    await areGone(waiting);
  });

  it("are not taken by a run with other limits, nor with another environment", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const env: Record<string, string> = { GRANTED: "one" };
    const worker = await startPrewarmedWorker(isolation, { env });
    const kit = makeLease("echo.sh", { warm: "pack", env: ["GRANTED"] });
    await worker.run(kit);
    await worker.waiting(1);
    const before = pids(worker);
    env.GRANTED = "two";
    expect((await worker.run(kit)).warm).toBe(false);
    await areGone(before);
    await worker.waiting(1);
    const limits = { ...kit.lease.limits, openFiles: 100 };
    expect((await worker.run({ ...kit, lease: { ...kit.lease, limits } })).warm).toBe(false);
  });

  it("are one more than ran at once of late, at most one for each slot, and fewer again when it was calm", async ({
    skip,
  }) => {
    if (reason !== null) skip(reason);
    let minutes = 0;
    const worker = await startPrewarmedWorker(isolation, {
      slotCount: 3,
      // The test advances the clock by minutes, so that only concurrent runs are within a second.
      now: () => performance.now() + minutes * MINUTE_MS,
    });
    const kit = makeLease("wait.sh", { warm: "pack" });
    const end = async (runs: Execution[]) => {
      minutes += 1;
      for (const { texts } of runs) await waitUntil("its first line", () => texts("stderr").length > 0);
      for (const { stop } of runs) stop.abort({ code: "cancelled", message: "enough", graceMs: 0 });
      await Promise.all(runs.map(({ outcome }) => outcome));
    };
    await end([await worker.start(kit)]);
    await worker.waiting(1);
    await end([await worker.start(kit)]);
    await worker.waiting(2);
    await end([await worker.start(kit), await worker.start(kit)]);
    await worker.waiting(3);
    await end([await worker.start(kit), await worker.start(kit), await worker.start(kit)]);
    await worker.waiting(3);
    worker.pool.tidy();
    worker.pool.tidy();
    await worker.waiting(1);
  });

  it("are as many as were run within a second, once nothing runs, and no more than fit into what is free", async ({
    skip,
  }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation, FIVE_PROCESSES);
    const other = makeLease("echo.sh", { warm: "other", args: { n: 0 } });
    await worker.run(other);
    await worker.waiting(1);
    const [ofOther] = pids(worker);
    const kit = makeLease("echo.sh", { warm: "pack", args: { n: 1 } });
    for (let run = 0; run < 10; run += 1) expect((await worker.run(kit)).error).toBeNull();
    await worker.waiting(5);
    expect(pids(worker)).toContain(ofOther);
    worker.pool.applyServerState({ memoryMiB: 1024, current: [] }, []);
    await worker.run(kit);
    await worker.waiting(11);
    for (let calm = 0; calm < 2; calm += 1) worker.pool.tidy();
    expect(pids(worker)).toHaveLength(2);
    expect(pids(worker)).toContain(ofOther);
  });

  it("are evicted for the first process of another pack where one pack has several", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation, FIVE_PROCESSES);
    const quiet = makeLease("echo.sh", { warm: "quiet", args: { n: 1 } });
    const busy = makeLease("echo.sh", { warm: "busy", args: { n: 2 } });
    await worker.run(quiet);
    for (let run = 0; run < 10; run += 1) await worker.run(busy);
    await worker.waiting(5);
    const before = pids(worker);
    await worker.run(makeLease("echo.sh", { warm: "new", args: { n: 3 } }));
    await waitUntil("one of the new pack", () => pids(worker).some((pid) => !before.includes(pid)));
    await worker.waiting(5);
    expect(pids(worker).filter((pid) => before.includes(pid))).toHaveLength(4);
    expect(await worker.run(quiet)).toMatchObject({ warm: true, result: { n: 1 } });
  });

  it("never run a byte that changed while they waited: it is refused, and they are dropped", async ({ skip }) => {
    if (reason !== null) skip(reason);
    // Without a store, files are read from a folder of the host.
    const worker = await startPrewarmedWorker({ ...isolation, store: null });
    const kit = makeLease("echo.sh", { warm: "pack", args: { n: 1 } });
    const { workDir, outcome } = await worker.start(kit);
    await outcome;
    await worker.waiting(1);
    const before = pids(worker);
    const file = join(workDir.skillsDir, kit.lease.versionDigest, "echo.sh");
    chmodSync(file, 0o755);
    writeFileSync(file, "#!/bin/sh\necho '\"changed\"'\n");
    expect(await worker.run(kit)).toMatchObject({ error: { code: "digest_mismatch" } });
    expect(await worker.run(kit)).toMatchObject({ error: null, result: { n: 1 }, warm: false });
    await areGone(before);
  });

  it("have run nothing of the skill before its run", async ({ skip }) => {
    if (reason !== null) skip(reason);
    const worker = await startPrewarmedWorker(isolation, { env: { PATH: "/usr/bin:/bin" } });
    const fixtures = ["echo.sh", "trouble.py", "trouble.cjs"];
    for (const name of fixtures) await worker.run(makeLease(name, { warm: name, env: ["PATH"], args: { how: "" } }));
    await worker.waiting(fixtures.length);
    for (const { pid } of worker.pool.processes()) {
      const inside = innermost(pid);
      const open = readdirSync(`/proc/${inside}/fd`).map((fd) => linkOf(inside, fd));
      expect(open.filter((path) => path.startsWith("/skill"))).toEqual([]);
    }
    const told = worker.pool.processes().map(({ kind }) => kind);
    expect(told.sort()).toEqual(["node", "program", "python"]);
  });
});

function innermost(pid: number): number {
  const [child] = listChildren(pid);
  return child ? innermost(child) : pid;
}

function linkOf(pid: number, fd: string): string {
  return readlinkSync(`/proc/${pid}/fd/${fd}`);
}
