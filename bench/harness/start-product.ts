import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "./api-client";

const root = join(import.meta.dirname, "..", "..");
const START_MS = 60_000;
const STOP_MS = 8_000;
const NO_LIMITS = { requestsPerMinute: 1_000_000, runsPerMinute: 1_000_000 };
const WITHOUT_SANDBOX = { safeWithoutSandbox: true, mutatingWithoutSandbox: true, dangerousWithoutSandbox: true };
/** Settings of whoever runs the bench would point it at real data. */
const OPERATORS_OWN = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|NODE_ENV$|npm_)/;

type Isolation = "none" | "process" | "sandbox";
type Ready = { type: "ready"; workerUrl: string; workerToken: string };
export type Product = {
  url: string;
  token: string;
  folder: string;
  /** What its worker reaches. */
  isolation: Isolation;
  /** Whether its settings know warm starts. */
  hasWarmStarts: boolean;
  /** Process ids. */
  pids: { web: number; worker: number };
  stop(): Promise<void>;
};

/** There is nothing to measure yet; the message says what to do. */
export class MissingBuild extends Error {}

type Wanted = { sandbox?: "auto" | "off"; warmStarts?: boolean };

/**
 * Starts the built server and one worker on a data directory of their own, as the launcher does, with an admin's token.
 * Where the worker has no sandbox, or is to have none, the settings let it run all the same. `NEXT_DIST_DIR` names the
 * build, as for the server.
 */
export async function startProduct({ sandbox = "auto", warmStarts = false }: Wanted = {}): Promise<Product> {
  requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "skillgate-bench-"));
  // Sandboxed runs have a user id of their own, and have to get to their files.
  chmodSync(folder, 0o711);
  const token = `sgt_${randomBytes(32).toString("base64url")}`;
  const children: ChildProcess[] = [];
  const stop = async () => {
    for (const child of children.reverse()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OPERATORS_OWN.test(name)));
    const web = start(children, "bin/web.mjs", [], {
      ...inherited,
      PORT: process.env.PORT || "0",
      SKILLGATE_DATA: join(folder, "data"),
      SKILLGATE_LOG_LEVEL: "warn",
      SKILLGATE_ADMIN_EMAIL: "bench@example.test",
      SKILLGATE_ADMIN_PASSWORD: randomBytes(18).toString("base64url"),
      SKILLGATE_ADMIN_TOKEN: token,
    });
    const { workerUrl, workerToken } = await ready<Ready>(web, "server");
    const worker = start(children, ".build/worker.mjs", ["--supervised"], {
      ...inherited,
      SKILLGATE_LOG_LEVEL: "warn",
      SKILLGATE_WORKER_SANDBOX: sandbox,
    });
    worker.send({ type: "start", url: workerUrl, token: workerToken, name: "local", workDir: join(folder, "work") });
    await ready(worker, "worker");
    const settled = await settle(workerUrl, token, { sandbox, warmStarts });
    const pids = { web: web.pid ?? 0, worker: worker.pid ?? 0 };
    return { url: workerUrl, token, folder, ...settled, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Settings an older build does not know are left out. */
async function settle(url: string, token: string, { sandbox, warmStarts }: Required<Wanted>) {
  const api = createApiClient(url, token);
  try {
    const { values } = await api.json<{ values: Record<string, unknown> }>("GET", "/api/admin/settings");
    const without = sandbox === "off" ? WITHOUT_SANDBOX : {};
    const wanted: Record<string, unknown> = { ...NO_LIMITS, ...without, warmStarts };
    const patch = Object.entries(wanted).filter(([key, value]) => key in values && values[key] !== value);
    if (patch.length > 0) await api.json("PATCH", "/api/admin/settings", Object.fromEntries(patch));
    const { isolation } = await api.json<{ isolation: Isolation }>("GET", "/api/me");
    return { isolation, hasWarmStarts: "warmStarts" in values };
  } finally {
    api.close();
  }
}

function requireBuild(): void {
  const missing = [join(process.env.NEXT_DIST_DIR || ".next", "BUILD_ID"), ".build/worker.mjs"].find(
    (file) => !existsSync(join(root, file)),
  );
  if (missing)
    throw new MissingBuild(`There is no build to measure (${missing} is missing). Run npm start once, then again.`);
}

function start(children: ChildProcess[], file: string, args: string[], env: Record<string, string | undefined>) {
  const child = fork(join(root, file), args, {
    cwd: root,
    env: env as NodeJS.ProcessEnv,
    // Not ours: this process runs TypeScript through a loader, the product must not.
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

function ready<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The ${name} was not ready within ${START_MS / 1000} s.`)),
      START_MS,
    );
    child.once("exit", (code) => reject(new Error(`The ${name} ended with exit code ${code} instead of starting.`)));
    child.on("message", (message: { type?: string }) => {
      if (message.type !== "ready") return;
      clearTimeout(timer);
      // Both send one such message, of the shape the caller names.
      resolve(message as T);
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
