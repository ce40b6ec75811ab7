import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { HARMLESS_ENV } from "@/lib/policy/worker-allowance";
import { listChildren } from "./processes/process-tree";
import { isAlive } from "./testing/is-alive";
import { makeLease } from "./testing/make-lease";
import { makeWorkDir } from "./testing/make-work-dir";
import { type FakeServer, startFakeServer } from "./testing/start-fake-server";
import { waitUntil } from "./testing/wait-until";

let bundle: string;

beforeAll(async () => {
  const script = new URL("../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  bundle = await buildWorker();
});

function start(
  args: string[],
  more: Record<string, string> = {},
  inherited: readonly (number | "ignore")[] = [],
): { child: ChildProcess; log: () => string; exit: Promise<number | null> } {
  // Without a sandbox, a run has process ids that this test can see.
  const env = { ...process.env, SKILLGATE_WORKER_SANDBOX: "off", ...more };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe", ...inherited] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, log: () => log, exit };
}

function startWorker(server: FakeServer, workDir: string, more: string[] = [], env: Record<string, string> = {}) {
  const tokenFile = join(makeWorkDir(), "token");
  writeFileSync(tokenFile, "sgw_secret\n");
  const options = ["--url", server.url, "--token-file", tokenFile, "--name", "edge", "--slots", "3"];
  return start([bundle, ...options, "--work-dir", workDir, ...more], env);
}

async function readScriptPid(server: FakeServer): Promise<number> {
  const find = () => server.events.map(({ text }) => /^pid (\d+)$/.exec(text)?.[1]).find(Boolean);
  return Number(await waitUntil("the script's pid", find));
}

describe("the worker process", () => {
  it("hands no run a descriptor that its launcher left open", async () => {
    const server = await startFakeServer();
    server.queue.push(makeLease("descriptors.sh"));
    const file = openSync("/dev/null", "r");
    onTestFinished(() => closeSync(file));
    // Node itself marks only the first sixteen descriptors, and those that follow without a gap.
    const inherited = [...Array.from({ length: 14 }, () => "ignore" as const), file];
    const tokenFile = join(makeWorkDir(), "token");
    writeFileSync(tokenFile, "sgw_secret\n");
    const options = ["--url", server.url, "--token-file", tokenFile, "--name", "edge", "--work-dir", makeWorkDir()];
    start([bundle, ...options], {}, inherited);
    const outcome = await waitUntil("the outcome", () => server.completions[0]?.outcome);
    const open = String(outcome.result).trim().split(" ");
    expect(open).toContain("0");
    expect(open).not.toContain("17");
  });

  it("registers as what it is, and on SIGTERM ends its runs, reports them and exits with 0", async () => {
    const server = await startFakeServer();
    server.queue.push(makeLease("stubborn.sh"));
    const worker = startWorker(server, makeWorkDir());
    const pid = await readScriptPid(server);
    expect(server.registered).toMatchObject([{ name: "edge", slots: 3, isolation: "none", pid: worker.child.pid }]);
    expect(server.registered[0]?.allows).toMatchObject({
      paths: [],
      env: HARMLESS_ENV,
      capabilities: [],
      proxy: false,
    });
    const stoppedMs = performance.now();
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(4000);
    expect(server.completions.map(({ outcome }) => outcome.error?.code)).toEqual(["worker_stopped"]);
    expect(isAlive(pid)).toBe(false);
    expect(worker.log()).not.toContain("sgw_secret");
  });

  it("exits within 3 s of SIGTERM when the server is away", async () => {
    const server = await startFakeServer();
    server.queue.push(makeLease("wait.sh"));
    const worker = startWorker(server, makeWorkDir());
    const pid = await readScriptPid(server);
    server.failure = () => null;
    const stoppedMs = performance.now();
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(4000);
    expect(isAlive(pid)).toBe(false);
  });

  it("in a sandbox says what it can give, has a store that only root finds, and leaves nothing of it", async ({
    skip,
  }) => {
    const server = await startFakeServer();
    server.queue.push(makeLease("echo.sh", { args: { n: 1 } }));
    const dir = makeWorkDir();
    const opened = {
      SKILLGATE_WORKER_SANDBOX: "auto",
      SKILLGATE_WORKER_PATHS: dir,
      SKILLGATE_WORKER_NAMESPACES: "net,pid",
    };
    const worker = startWorker(server, makeWorkDir(), [], opened);
    const { outcome } = await waitUntil("the run", () => server.completions[0]);
    const [said] = server.registered;
    const children = listChildren(worker.child.pid ?? 0);
    worker.child.kill("SIGTERM");
    expect(await worker.exit).toBe(0);
    await waitUntil("the end of all it started", () => !children.some(isAlive));
    if (said?.isolation !== "sandbox" || process.getuid?.() !== 0) skip("this host has no sandbox for root");
    expect(outcome).toMatchObject({ error: null, result: { n: 1 } });
    // The server of this test answers on loopback.
    expect(said?.allows).toMatchObject({ paths: [dir], namespaces: ["pid"], proxy: true });
    expect(said?.isolationFacts?.join(" ")).toContain("memory that no other process of the host can access");
  });

  it("exits with 78 and names the variable and the item when a setting cannot be", async () => {
    const server = await startFakeServer();
    const worker = startWorker(server, makeWorkDir(), [], { SKILLGATE_WORKER_LINUX_CAPABILITIES: "CAP_SYS_ADMIN" });
    expect(await worker.exit).toBe(78);
    expect(worker.log()).toContain("SKILLGATE_WORKER_LINUX_CAPABILITIES names “CAP_SYS_ADMIN”");
  });

  it("exits with 78 and says why when the token is not accepted", async () => {
    const server = await startFakeServer();
    server.failure = () => 401;
    const worker = startWorker(server, makeWorkDir());
    expect(await worker.exit).toBe(78);
    expect(worker.log()).toContain("does not accept this worker's token");
    expect(worker.log()).not.toContain("sgw_secret");
  });

  it("warns once of a token on the command line", async () => {
    const server = await startFakeServer();
    const worker = startWorker(server, makeWorkDir(), ["--token", "sgw_visible"]);
    await waitUntil("the registration", () => server.registered.length > 0);
    expect(worker.log().match(/Use --token-file instead/g)).toHaveLength(1);
    expect(worker.log()).not.toContain("sgw_visible");
  });

  it("ends what a killed predecessor left running", async () => {
    const server = await startFakeServer();
    const workDir = makeWorkDir();
    server.queue.push(makeLease("wait.sh"));
    const first = startWorker(server, workDir);
    const pid = await readScriptPid(server);
    first.child.kill("SIGKILL");
    await first.exit;
    expect(isAlive(pid)).toBe(true);
    startWorker(server, workDir);
    await waitUntil("the orphan's end", () => !isAlive(pid));
    await waitUntil("an empty directory", () => readdirSync(join(workDir, "runs")).length === 0);
  });

  it("ends with all its runs within a second when its launcher is killed", async () => {
    const server = await startFakeServer();
    const workDir = makeWorkDir();
    server.queue.push(makeLease("stubborn.sh"));
    const launcher = start([
      fileURLToPath(new URL("fixtures/fork-worker.mjs", import.meta.url)),
      bundle,
      server.url,
      workDir,
    ]);
    const pid = await readScriptPid(server);
    const ready = await waitUntil("the ready message", () => launcher.log().includes("\n") && launcher.log());
    const { type, pid: workerPid } = JSON.parse(ready) as { type: string; pid: number };
    expect(type).toBe("ready");
    const killedMs = performance.now();
    launcher.child.kill("SIGKILL");
    await waitUntil("the worker's and the run's end", () => !isAlive(workerPid) && !isAlive(pid));
    expect(performance.now() - killedMs).toBeLessThan(1000);
    expect(readdirSync(join(workDir, "runs"))).toEqual([]);
  });
});
