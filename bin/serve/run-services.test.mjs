import { fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runServices } from "./run-services.mjs";

const childFile = fileURLToPath(new URL("./fixtures/child.mjs", import.meta.url));
const launcherFile = fileURLToPath(new URL("./fixtures/launcher.mjs", import.meta.url));
const bounded = { timeout: 10_000, interval: 20 };

let folder;
let log;
let started;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "skillgate-services-"));
  log = path.join(folder, "log");
  started = [];
});

afterEach(async () => {
  for (const services of started) {
    services.killNow();
  }
  rmSync(folder, { recursive: true, force: true });
});

function linesOf(name) {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  return text.split("\n").filter((line) => line.startsWith(`${name} `));
}

const starts = (name) => linesOf(name).filter((line) => line.endsWith(" started"));
const until = (check) => vi.waitFor(check, bounded);

function start({ web = () => ({}), worker = () => ({}), token = () => "t1" } = {}) {
  const children = {};
  const told = [];
  const forkChild = (NAME, more) => {
    const env = { PATH: process.env.PATH, LOG: log, NAME, ...more };
    children[NAME] = fork(childFile, { detached: true, execArgv: [], env });
    return children[NAME];
  };
  const ready = () => ({ type: "ready", url: "http://web", workerUrl: "http://local", workerToken: token(), port: 1 });
  const onReady = vi.fn();
  const services = runServices({
    forkWeb: () => forkChild("web", { READY: JSON.stringify(ready()), ...web() }),
    forkWorker: worker && (() => forkChild("worker", worker())),
    workDir: "/work",
    hidden: ["/data"],
    onReady,
    tell: (line) => told.push(line),
  });
  started.push(services);
  return { services, children, told, onReady };
}

describe("runServices", () => {
  it("starts the worker with its token once the web process is ready", async () => {
    const { onReady } = start();
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    const message = JSON.parse(linesOf("worker")[1].replace(/^worker \d+ /, ""));
    expect(message).toEqual({
      ...{ type: "start", url: "http://local", token: "t1", name: "local", workDir: "/work" },
      hidden: ["/data"],
    });
    expect(onReady).toHaveBeenCalledTimes(1);
  });

  it.each(["worker", "web"])("starts a crashed %s again and says so", async (name) => {
    const { children, told, onReady } = start();
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    children[name].kill("SIGKILL");
    await until(() => expect(starts(name)).toHaveLength(2));
    expect(told.join()).toMatch(/signal SIGKILL.*starting it again in 0\.5 s/);
    expect(onReady).toHaveBeenCalledTimes(1);
  });

  it("leaves a worker whose token was refused alone until the web process hands out another", async () => {
    let token = "t1";
    const { children, told } = start({ token: () => token });
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    children.worker.send({ type: "exit", code: 78 });
    await until(() => expect(told.join()).toContain("cannot start for the reason above"));
    token = "t2";
    children.web.kill("SIGKILL");
    await until(() => expect(linesOf("worker").at(-1)).toContain('"token":"t2"'));
    expect(starts("worker")).toHaveLength(2);
  });

  it.each([
    ["refuses to start", { EXIT: "78", READY: "" }, 78],
    ["dies before it is ready", { EXIT: "3", READY: "" }, 3],
    ["ends quietly before it is ready", { EXIT: "0", READY: "" }, 1],
  ])("ends with the exit code of a web process that %s", async (_, env, exitCode) => {
    const { services } = start({ web: () => env });
    expect(await services.ended).toBe(exitCode);
    expect(starts("worker")).toHaveLength(0);
  });

  it("stops the worker and then the web process, and ends with 0", async () => {
    const { services } = start();
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    await Promise.all([services.stop(), services.stop()]);
    expect(await services.ended).toBe(0);
    const stops = readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.endsWith(" stopped"));
    expect(stops.map((line) => line.split(" ")[0])).toEqual(["worker", "web"]);
  });

  it("tells the web process that it will be gone before anything stops", async () => {
    const { services } = start();
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    await services.stop();
    const told = linesOf("web").findIndex((line) => line.endsWith('{"type":"draining"}'));
    expect(told).toBeGreaterThan(0);
    expect(linesOf("web").findIndex((line) => line.endsWith(" stopped"))).toBeGreaterThan(told);
  });

  it("runs the web process alone when there is to be no worker", async () => {
    const { services, onReady } = start({ worker: null });
    await until(() => expect(onReady).toHaveBeenCalled());
    await services.restartWorker();
    await services.stop();
    expect(await services.ended).toBe(0);
    expect(starts("worker")).toHaveLength(0);
  });

  it("kills at once children that do not want to stop", async () => {
    const { services, children } = start({ worker: () => ({ IGNORE_SIGTERM: "1" }) });
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    void services.stop();
    await until(() => expect(linesOf("worker").at(-1)).toContain("stopped"));
    services.killNow();
    await until(() => expect(children.worker.signalCode).toBe("SIGKILL"));
    await services.ended;
  });

  it("starts the worker anew on request without a pause", async () => {
    const { services, told } = start();
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    await services.restartWorker();
    await until(() => expect(starts("worker")).toHaveLength(2));
    expect(told).toEqual([]);
  });

  it("does not outlive a launcher that is killed by more than a second", async () => {
    const launcher = spawn(process.execPath, [launcherFile], { env: { ...process.env, LOG: log }, stdio: "ignore" });
    await until(() => expect(linesOf("worker")).toHaveLength(2));
    const pids = ["web", "worker"].map((name) => Number(linesOf(name)[0].split(" ")[1]));
    launcher.kill("SIGKILL");
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 1_000, interval: 20 });
  });
});

// A zombie that no process has reaped yet counts as ended.
function isAlive(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
