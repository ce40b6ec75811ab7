import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { listChildren } from "../processes/process-tree";
import { readProcessStat, readText } from "../processes/read-process";
import { isAlive } from "../testing/is-alive";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { type FakeServer, startFakeServer } from "../testing/start-fake-server";
import { waitUntil } from "../testing/wait-until";

const MAX_RSS_KIB = 100 * 1024;
/** Limit of the worker's written memory, whose page tables each spawn copies. */
const MAX_WRITTEN_KIB = 42 * 1024;

let bundle: string;

beforeAll(async () => {
  const script = new URL("../../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  bundle = await buildWorker();
});

/** Starts the real worker process; null where the isolation cannot prewarm. */
async function startWorker(server: FakeServer, slots = 2): Promise<(ChildProcess & { pid: number }) | null> {
  const tokenFile = join(makeWorkDir(), "token");
  writeFileSync(tokenFile, "sgw_secret\n");
  const options = ["--url", server.url, "--token-file", tokenFile, "--name", "edge", "--slots", String(slots)];
  const child = spawn(process.execPath, [bundle, ...options, "--work-dir", makeWorkDir()], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const registered = await waitUntil("the registration", () => server.registered[0]);
  return registered.isolation === "sandbox" ? (child as ChildProcess & { pid: number }) : null;
}

/** Returns all processes of the prewarmed sandbox, once the pack has run. */
async function waitForWarm(server: FakeServer, worker: { pid: number }, warm: string): Promise<number[]> {
  server.queue.push(makeLease("echo.sh", { warm }));
  await waitUntil("the outcome", () => server.completions.length > 0);
  return waitUntil("a waiting sandbox", () => {
    const tree = withChildren(worker.pid).filter(isInSandbox);
    return tree.length >= 3 && tree;
  });
}

const withChildren = (pid: number): number[] => [pid, ...listChildren(pid).flatMap(withChildren)];
/** Whether the process is bubblewrap or was started by it; its command line names the skill. */
const isInSandbox = (pid: number): boolean => {
  const parent = readProcessStat(pid)?.parent ?? 0;
  return (readText(`/proc/${pid}/cmdline`) ?? "").includes("\0/skill\0") || (parent > 1 && isInSandbox(parent));
};
const areGone = (pids: number[]) => waitUntil("the end of what waited", () => !pids.some(isAlive));

describe.runIf(process.platform === "linux")("what waits in a worker", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)("does not survive its %s", async (signal) => {
    const server = await startFakeServer();
    const worker = await startWorker(server);
    if (worker === null) return;
    const waiting = await waitForWarm(server, worker, "pack");
    const all = new Set([...waiting, ...withChildren(worker.pid)]);
    worker.kill(signal);
    await areGone([...all]);
  });

  it("ends when the server says that its pack no longer stands", async () => {
    const server = await startFakeServer();
    const worker = await startWorker(server);
    if (worker === null) return;
    const waiting = await waitForWarm(server, worker, "pack");
    const asked = server.exchanges.filter((exchange) => exchange.warm?.includes("pack")).length;
    server.revoked.push("pack");
    await areGone(waiting);
    const since = server.exchanges.filter((exchange) => exchange.warm?.includes("pack")).length - asked;
    expect(since).toBeLessThanOrEqual(2);
  });

  it("ends when the server is lost", async () => {
    const server = await startFakeServer();
    const worker = await startWorker(server);
    if (worker === null) return;
    const waiting = await waitForWarm(server, worker, "pack");
    server.failure = () => null;
    await areGone(waiting);
    expect(isAlive(worker.pid)).toBe(true);
  });

  it("leaves the worker small: under 100 MiB after 200 runs, and 42 of its own", { timeout: 120_000 }, async () => {
    const server = await startFakeServer();
    const worker = await startWorker(server, 4);
    if (worker === null) return;
    for (let n = 0; n < 200; n += 1) server.queue.push(makeLease("echo.sh", { warm: "pack", args: { n } }));
    await waitUntil("200 outcomes", () => server.completions.length >= 200, 110_000);
    expect(server.completions.every(({ outcome }) => outcome.error === null)).toBe(true);
    const status = readFileSync(`/proc/${worker.pid}/status`, "utf8");
    const kibOf = (part: string) => Number(new RegExp(`^${part}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]);
    expect(kibOf("VmRSS")).toBeLessThan(MAX_RSS_KIB);
    expect(kibOf("RssAnon")).toBeLessThan(MAX_WRITTEN_KIB);
  });
});
