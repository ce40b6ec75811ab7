import { randomInt } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { removeCgroups } from "../processes/control-groups";
import { listChildren } from "../processes/process-tree";
import { readText, readUid } from "../processes/read-process";
import { createUidPool, type UidPool } from "../processes/user-ids";
import { RunLimits } from "../protocol";
import type { Bubblewrap, SharedRoot } from "../sandbox/isolation";
import { probeIsolation } from "../sandbox/probe-isolation";
import { executeLease } from "../testing/execute-lease";
import { isAlive } from "../testing/is-alive";
import { isPreforked } from "../testing/is-preforked";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { shareMountView } from "../testing/share-mount-view";
import { shareStore } from "../testing/share-store";
import { startPrewarmedWorker } from "../testing/start-prewarmed-worker";
import { waitUntil } from "../testing/wait-until";
import { createPreforkedPool, type PreforkedPool } from "./preforked-pool";

/** No other test on this machine uses these user ids. */
const UIDS = { first: 63_000 + randomInt(100) * 16, count: 16 };
const LIMITS = { timeoutMs: 10_000, stdoutBytes: 64 * 1024, stderrBytes: 64 * 1024 };

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
let isolation: Bubblewrap | null = null;
let reason = "";

beforeAll(async () => {
  const found = await probeIsolation(filterDir);
  if (found.kind === "bubblewrap" && found.uids) isolation = { ...found, uids: UIDS };
  else reason = `preforked launchers take bubblewrap and root, and there is ${found.kind}`;
});
afterAll(() => {
  rmSync(filterDir, { recursive: true, force: true });
  if (isolation?.cgroups) removeCgroups(isolation.cgroups);
});
beforeEach(({ skip }) => {
  if (isolation === null) skip(reason);
});

type Field = { preforked: PreforkedPool; uids: UidPool; parent: string; said: string[] };

async function openPool(changes: Partial<Bubblewrap> = {}, shown: string[] = [realpathSync(tmpdir())]): Promise<Field> {
  const uids = createUidPool(UIDS);
  const [parent, said] = [makeWorkDir(), [] as string[]];
  chmodSync(parent, 0o711);
  const given = { ...(await shareStore(await shareMountView(isolation as Bubblewrap))), ...changes };
  const tell = (why: string) => void said.push(why);
  const preforked = createPreforkedPool({ isolation: given, uids, slotCount: 1, parent, shown, tell });
  if (preforked === null) throw new Error("there are no launchers");
  onTestFinished(() => preforked.close());
  await waitUntil("a launcher, or why there is none", () => preforked.idle() === 1 || said.length > 0);
  return { preforked, uids, parent, said };
}

/** Runs a shell script through the preforked launcher. */
async function run({ preforked, uids }: Field, script: string, limits = LIMITS) {
  const kit = makeLease("echo.sh", { limits: RunLimits.parse(limits), warm: null }, () => `#!/bin/sh\n${script}\n`);
  return executeLease(kit, { isolation: isolation as Bubblewrap, preforked, uids, warm: null });
}

async function outcomeOf(...given: Parameters<typeof run>) {
  return (await run(...given)).outcome;
}

const network = `printf '"%s"' "$(readlink /proc/self/ns/net)"`;
const shells = () => listChildren(process.pid).filter((pid) => isPreforked(pid, process.pid));

describe("a launcher", () => {
  it("starts one run after the other in a network of its own, which no run can reach out of", async () => {
    const field = await openPool();
    const uids = new Set<unknown>();
    const networks = new Set<unknown>();
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = await outcomeOf(field, `printf '["%s", "%s"]' "$(id -u)" "$(readlink /proc/self/ns/net)"`);
      expect(outcome.error).toBeNull();
      const [uid, name] = outcome.result as string[];
      uids.add(uid);
      networks.add(name);
      await waitUntil("its return", () => field.preforked.idle() === 1);
    }
    expect([uids.size, networks.size]).toEqual([1, 1]);
    expect([...networks]).not.toContain((await outcomeOf({ ...field, preforked: null as never }, network)).result);
    expect(
      (await outcomeOf(field, "ls /sys/class/net /proc/self/nope 2>/dev/null; cat /proc/net/route >&2; echo 1")).error,
    ).toBeNull();
  });

  it("is not used again once anything was sent in its network", async () => {
    const field = await openPool();
    const before = shells();
    expect((await outcomeOf(field, network)).error).toBeNull();
    await waitUntil("its return", () => field.preforked.idle() === 1);
    expect(shells()).toEqual(before);
    const send = `exec /bin/bash -c 'echo hello >/dev/udp/127.0.0.1/9; echo 1'`;
    expect((await outcomeOf(field, send)).error).toBeNull();
    // By process: the kernel gives the number of an ended network namespace to the next one.
    await waitUntil("another launcher", () => field.preforked.idle() === 1 && !shells().includes(before[0] as number));
    expect(isAlive(before[0] as number)).toBe(false);
  });

  it("has nothing left of a run that was stopped, and goes on", async () => {
    const field = await openPool();
    const execution = await run(field, "sleep 60 & echo started >&2; sleep 60", { ...LIMITS, timeoutMs: 400 });
    await waitUntil("the start", () => execution.texts("stderr").length > 0);
    const sandboxes = shells().flatMap((pid) => listChildren(pid).flatMap((outer) => [outer, ...listChildren(outer)]));
    expect(sandboxes).toHaveLength(2);
    expect((await execution.outcome).error?.code).toBe("timed_out");
    await waitUntil("the end of the sandbox", () => !sandboxes.some(isAlive));
    await waitUntil("an idle launcher", () => field.preforked.idle() === 1);
    expect((await outcomeOf(field, "echo 1")).result).toBe(1);
  });

  it("that is killed takes its run with it, which ends as killed", async () => {
    const field = await openPool();
    const shell = shells()[0] as number;
    const execution = await run(field, "echo started >&2; exec sleep 60");
    await waitUntil("the start", () => execution.texts("stderr").length > 0);
    const inside = listChildren(shell).flatMap((pid) => [pid, ...listChildren(pid)]);
    expect(inside).toHaveLength(2);
    process.kill(shell, "SIGKILL");
    expect((await execution.outcome).error).toMatchObject({ code: "signalled" });
    await waitUntil("the end of the sandbox", () => !inside.some(isAlive));
  });

  it("releases its user id, and only after its last process has ended", async () => {
    const field = await openPool();
    const shell = shells()[0] as number;
    expect([field.uids.left(), readUid(shell)]).toEqual([UIDS.count - 1, UIDS.first]);
    field.preforked.close();
    await waitUntil("the id", () => field.uids.left() === UIDS.count);
    expect(isAlive(shell)).toBe(false);
  });

  it("whose pipes were deleted is not used, and the run still starts, in a network of its own", async () => {
    const field = await openPool();
    const shell = shells()[0] as number;
    rmSync(field.parent, { recursive: true });
    const told = "readlink /proc/self/ns/net >&2; exec sleep 60";
    const networks = new Set<string>();
    for (const _turn of ["with the launcher's id", "with another"]) {
      const execution = await run(field, told);
      await waitUntil("the start", () => execution.texts("stderr").length > 0);
      await waitUntil("the end of the shell", () => !isAlive(shell));
      networks.add(execution.texts("stderr").join());
      // The run holds the user id until it ends, even if it was the launcher's.
      expect(field.uids.left()).toBe(UIDS.count - 1);
      execution.stop.abort({ code: "cancelled", message: "Enough.", graceMs: 0 });
      expect((await execution.outcome).error).toMatchObject({ code: "cancelled" });
    }
    expect([networks.size, field.uids.left()]).toEqual([2, UIDS.count]);
  });

  it("sees of the host only what plain runs are built from, and so does bubblewrap", async () => {
    const field = await openPool({}, []);
    const mounts = (readText(`/proc/${shells()[0]}/mountinfo`) ?? "").split("\n").map((line) => line.split(" ")[4]);
    const { root, system, node } = await shareMountView(isolation as Bubblewrap);
    // The store of skills is mounted at /sys.
    const places = ["/", "/tmp", "/proc", "/dev", "/sys", "/etc", root?.dir, node, field.parent, ...system.dirs];
    const isExpected = (path: string) => places.some((place) => path === place || path.startsWith(`${place}/`));
    expect(mounts.filter((path) => path && !(path.startsWith("/") && isExpected(path)))).toEqual([]);
    expect(existsSync(`/proc/${shells()[0]}/root/etc/passwd`)).toBe(false);
    expect(field.said).toEqual([]);
  });

  it("does not start what is built from something else, which starts all the same", async () => {
    const field = await openPool({}, []);
    const before = readText(`/proc/${shells()[0]}/ns/net`);
    const outcome = await outcomeOf(field, network);
    expect(outcome.error).toBeNull();
    expect(outcome.result).not.toBe(before);
    await waitUntil("its return", () => field.preforked.idle() === 1);
  });

  it("sees all of the host where the smaller part does not serve, and says why", async () => {
    const { root } = await shareMountView(isolation as Bubblewrap);
    const field = await openPool({ root: { ...(root as SharedRoot), dir: "/nowhere" } });
    await waitUntil("a launcher", () => field.preforked.idle() === 1);
    expect(field.said).toEqual([expect.stringContaining("Preforked launchers see all of the host: ")]);
    expect(existsSync(`/proc/${shells()[0]}/root/etc/passwd`)).toBe(true);
    expect((await outcomeOf(field, "echo 1")).result).toBe(1);
  });

  it("gives each run terminals and devices that no run can change", async () => {
    const field = await openPool();
    const script = [
      "exec 2>&1; ls /dev | tr '\\n' ' ' | sed 's/.*/[\"&\"/'",
      "for name in null zero full random urandom tty ptmx; do test -e /dev/$name || echo missing; done",
      "touch /dev/new /dev/null/new 2>/dev/null && echo writable",
      "chmod 600 /dev/null /dev/pts /dev/pts/ptmx 2>/dev/null && echo changeable",
      `script -qec 'tty' /tmp/said </dev/null >/dev/null; grep -q pts /tmp/said && echo ', "terminal"]'`,
    ].join("\n");
    for (const _turn of ["first", "second"]) {
      const outcome = await outcomeOf(field, script);
      expect(outcome.result).toEqual([expect.stringMatching(/^core fd full null ptmx pts random shm/), "terminal"]);
      await waitUntil("its return", () => field.preforked.idle() === 1);
    }
  });

  it("starts what waits for a run, too", async () => {
    const worker = await startPrewarmedWorker(isolation as Bubblewrap, { hasPreforked: true });
    const kit = makeLease("echo.sh", { warm: "pack", args: { n: 1 } });
    expect((await worker.run(kit)).warm).toBe(false);
    for (const waiting of [1, 2, 2]) {
      await worker.waiting(waiting);
      expect(await worker.run(kit)).toMatchObject({ warm: true, error: null, result: { n: 1 } });
    }
    worker.pool.dropAll();
    await waitUntil("the end of what waited", () => shells().every((pid) => listChildren(pid).length === 0));
  });
});

it("says why there is none", async () => {
  const { said, preforked } = await openPool({ nsenter: "/bin/false" });
  expect(said).toEqual([expect.stringContaining("the shell ended early")]);
  expect(preforked.acquire()).toBeNull();
});
