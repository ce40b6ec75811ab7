import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { connectServer } from "../connect-server";
import { prepareWorkDir } from "../files/work-dir";
import { removeCgroups } from "../processes/control-groups";
import { readProcessStat } from "../processes/read-process";
import { type Lease, type Outcome, RunLimits, RunTerms } from "../protocol";
import { runWorker } from "../run-worker";
import { isPreforked } from "../testing/is-preforked";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { openAccess } from "../testing/open-access";
import { shareMountView } from "../testing/share-mount-view";
import { shareStore } from "../testing/share-store";
import { type FakeServer, startFakeServer } from "../testing/start-fake-server";
import { waitUntil } from "../testing/wait-until";
import { createWorker, drainWorker } from "../worker";
import type { Isolation } from "./isolation";
import { probeIsolation, type Strongest } from "./probe-isolation";

/**
 * No other worker on this machine uses these, so any process that still has one survived a run of this test. Drawn, because
 * the kernel counts the processes of a user id over all containers, and the process ids of fresh containers are alike.
 */
const UIDS = { first: 61_200 + randomInt(200) * 8, count: 8 };
const CANARY = "canary-5b1d7c9e";
const KIB = 1024;
const GENTLE = {
  timeoutMs: 10_000,
  stdoutBytes: 256 * KIB,
  stderrBytes: 64 * KIB,
  memoryBytes: 64 * KIB * KIB,
  processes: 32,
  diskBytes: 4 * KIB * KIB,
  fileBytes: 2 * KIB * KIB,
};

type Level = { name: string; strongest: Strongest; kind: Isolation["kind"] };
const LEVELS: Level[] = [
  { name: "bubblewrap", strongest: "auto", kind: "bubblewrap" },
  { name: "unshare", strongest: "unshare", kind: "unshare" },
  { name: "a user id alone", strongest: "user", kind: "user" },
];

const filterDir = mkdtempSync(join(tmpdir(), "filters-"));
afterAll(() => rmSync(filterDir, { recursive: true, force: true }));

let isolation: Isolation;

async function startWorker(): Promise<{ server: FakeServer; workDir: string }> {
  const server = await startFakeServer();
  const workDir = await prepareWorkDir(makeWorkDir());
  const worker = createWorker({
    name: "hostile",
    slotCount: 2,
    workDir,
    isolation: await shareStore(isolation.kind === "bubblewrap" ? await shareMountView(isolation) : isolation),
    access: openAccess(),
    capabilities: [],
    server: connectServer({ url: server.url, token: `sgw_${CANARY}` }),
    log: pino({ level: "silent" }),
  });
  const ended = runWorker(worker);
  onTestFinished(async () => {
    drainWorker(worker);
    await ended.catch(() => {});
  });
  return { server, workDir: workDir.path };
}

type Changes = { args?: Lease["args"]; env?: string[]; terms?: Partial<RunTerms>; limits?: Partial<RunLimits> };

/** Executes one hostile run in a worker, and checks that it ended once and in time and left nothing behind. */
async function run(fixture: string, changes: Changes = {}, started = startWorker()): Promise<Outcome> {
  const { server } = await started;
  const limits = RunLimits.parse({ ...GENTLE, ...changes.limits });
  const kit = makeLease(`hostile/${fixture}`, {
    args: changes.args ?? {},
    env: changes.env ?? [],
    terms: RunTerms.parse(changes.terms ?? {}),
    limits,
  });
  server.queue.push(kit);
  const mine = () => server.completions.filter(({ runId }) => runId === kit.lease.runId);
  await waitUntil(`the end of ${fixture}`, () => mine().length > 0);
  expect(await survivors()).toEqual([]);
  const said = new Set(mine().map(({ outcome }) => JSON.stringify(outcome)));
  expect(said.size).toBe(1);
  const { outcome } = mine()[0] as { outcome: Outcome };
  expect(outcome.durationMs).toBeLessThan(limits.timeoutMs + 2000);
  expect(JSON.stringify([outcome, server.events])).not.toContain(CANARY);
  return outcome;
}

/** Returns the ids of processes that still have a user id of our pool after a moment, which the kernel needs to reap. */
async function survivors(): Promise<number[]> {
  for (let look = 0; look < 20; look += 1) {
    if (listOurs().length === 0) return [];
    await new Promise((resolve) => setImmediate(resolve));
  }
  return listOurs();
}

function listOurs(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isOurs(pid) && !["Z", "X", undefined].includes(readProcessStat(pid)?.state));
}

function isOurs(pid: number): boolean {
  try {
    const uid = Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return uid >= UIDS.first && uid < UIDS.first + UIDS.count && !isPreforked(pid, process.pid);
  } catch {
    return false;
  }
}

describe.each(LEVELS)("in $name", ({ strongest, kind }) => {
  const hasNamespaces = kind !== "user";

  beforeAll(async () => {
    const found = await probeIsolation(filterDir, strongest);
    isolation = found.kind !== "none" && found.uids ? { ...found, uids: UIDS } : found;
  });
  afterAll(() => {
    if (isolation.kind !== "none" && isolation.cgroups) removeCgroups(isolation.cgroups);
  });
  beforeEach(({ skip }) => {
    if (isolation.kind !== kind) skip(`this host has ${isolation.kind}`);
  });

  describe("an executable that takes all it can get", () => {
    it("a fork bomb goes off in its own corner", async () => {
      const outcome = await run("fork-bomb.sh", { limits: { timeoutMs: 1_000 } });
      expect(outcome.error).not.toBeNull();
    });

    it("floods on both streams are cut", async () => {
      const outcome = await run("flood-both-streams.py");
      expect(outcome).toMatchObject({ truncated: true, error: { code: "output_limit" } });
      expect(outcome.rawOutput?.length).toBeLessThanOrEqual(70_000);
    });

    it("memory ends at the limit", async () => {
      expect((await run("take-memory.py")).error).not.toBeNull();
    });

    it("a busy loop ends at the time limit", async () => {
      expect(await run("take-cpu.py", { limits: { timeoutMs: 500 } })).toMatchObject({ timedOut: true });
    });

    // With only a user id, each file is limited but not their sum.
    if (hasNamespaces) {
      it("the disk is its own, and small", async () => {
        const written = (await run("take-disk.py")).result;
        expect(written).toBeLessThanOrEqual(3 * GENTLE.diskBytes);
      });
    }
  });

  describe("an executable that will not end", () => {
    it("ends with its entry, even if processes it left still hold its streams", async () => {
      expect((await run("hang-after-exit.sh")).result).toEqual({ left: 2 });
    });

    it("cannot leave by setsid and a double fork", async () => {
      expect((await run("escape-with-setsid.py")).result).toEqual({});
    });

    it("is killed when it ignores every signal", async () => {
      expect(await run("ignore-signals.py", { limits: { timeoutMs: 500 } })).toMatchObject({
        timedOut: true,
        signal: "SIGKILL",
      });
    });
  });

  describe("an executable that looks around", () => {
    it("finds no secret in its environment, in /proc or on the disk, and is not root", async () => {
      process.env.HOSTILE_SECRET = CANARY;
      const beside = spawn("/bin/sleep", ["60"], { env: { SECRET: CANARY } as unknown as NodeJS.ProcessEnv });
      onTestFinished(() => {
        delete process.env.HOSTILE_SECRET;
        beside.kill("SIGKILL");
      });
      const started = await startWorker();
      const open = makeWorkDir();
      chmodSync(open, 0o755);
      // Only namespaces hide files that every account may read.
      const mode = hasNamespaces ? 0o644 : 0o600;
      for (const dir of [open, started.workDir]) writeFileSync(join(dir, "secret"), CANARY, { mode });
      const directories = [open, started.workDir, join(started.workDir, "cache"), `/proc/${process.pid}`];
      const outcome = await run("dump-secrets.py", { args: { directories } }, Promise.resolve(started));
      expect(outcome.error).toBeNull();
      const { uid, names, pids } = outcome.result as { uid: number; names: string[]; pids: number };
      expect(uid).toBeGreaterThan(0);
      expect(names.filter((name) => name !== "LC_CTYPE")).toEqual(["HOME", "SHLVL", "TMPDIR"]);
      if (hasNamespaces) expect(pids).toBeLessThan(8);
    });

    it("reaches no network, unless that was granted", async () => {
      let hits = 0;
      const listen = (at: { port: number; host: string } | { path: string }) =>
        new Promise<number>((resolve) => {
          const canary = createServer((socket) => {
            hits += 1;
            socket.on("error", () => {}).destroy();
          });
          onTestFinished(() => void canary.close());
          canary.listen(at, () => {
            const address = canary.address();
            resolve(typeof address === "object" && address ? address.port : 0);
          });
        });
      const port = await listen({ port: 0, host: "127.0.0.1" });
      const datagrams = createSocket("udp4", () => {
        hits += 1;
      });
      onTestFinished(() => void datagrams.close());
      await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve));
      const dir = makeWorkDir();
      chmodSync(dir, 0o755);
      await listen({ path: join(dir, "socket") });
      await listen({ path: `\0skillgate-${process.pid}` });
      const unix = [join(dir, "socket"), `@skillgate-${process.pid}`];
      const args = { addresses: ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254"], port, unix };
      if (hasNamespaces) {
        expect((await run("call-home.py", { args })).result).toEqual([]);
        expect(hits).toBe(0);
      }
      const control = { addresses: ["127.0.0.1"], port, unix };
      const granted = await run("call-home.py", { args: control, terms: hasNamespaces ? { namespaces: ["net"] } : {} });
      expect(granted.result).toContainEqual(["127.0.0.1", "tcp"]);
      if (kind === "bubblewrap") expect(granted.result).not.toContainEqual([expect.anything(), "unix"]);
      if (hasNamespaces) expect(granted.result).not.toContainEqual([join(dir, "socket"), "unix"]);
      await waitUntil("both packets of the control", () => hits >= 2);
    });
  });

  describe("an executable that answers badly", () => {
    it("is told so for each of 30 forms of bad JSON, the last 100,000 levels deep", async () => {
      const started = startWorker();
      const codes: (string | undefined)[] = [];
      for (let form = 0; form < 30; form += 1) {
        codes.push((await run("bad-json.py", { args: { form } }, started)).error?.code);
      }
      expect(codes).toEqual(Array.from({ length: 30 }, () => "invalid_output"));
    });

    it("may close its input unread", async () => {
      const outcome = await run("close-stdin.sh", { args: { text: "x".repeat(250_000) } });
      expect(outcome).toMatchObject({ error: null, result: { read: false } });
    });
  });
});
