import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "./api-client";

const root = join(import.meta.dirname, "..", "..");
const START_MS = 60_000;
const STOP_MS = 8_000;
/** Settings of whoever runs the bench would point it at real data. */
const OPERATORS_OWN = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|NODE_ENV$|npm_)/;

type Ready = { type: "ready"; workerUrl: string; workerToken: string };
export type Product = {
  url: string;
  token: string;
  folder: string;
  /** What its worker reaches. */
  isolation: "none" | "process" | "sandbox";
  stop(): Promise<void>;
};

/** There is nothing to measure yet; the message says what to do. */
export class MissingBuild extends Error {}

/**
 * Starts the built server and one worker on a data directory of their own, as the launcher does, with an admin's token.
 * Where the worker has no sandbox, or is to have none, the settings let it run all the same.
 */
export async function startProduct({ sandbox = "auto" }: { sandbox?: "auto" | "off" } = {}): Promise<Product> {
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
    const isolation = await settle(workerUrl, token);
    return { url: workerUrl, token, folder, isolation, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settle(url: string, token: string): Promise<Product["isolation"]> {
  const api = createApiClient(url, token);
  try {
    const { isolation } = await api.json<{ isolation: Product["isolation"] }>("GET", "/api/me");
    return isolation;
  } finally {
    api.close();
  }
}

function requireBuild(): void {
  const missing = [".next/BUILD_ID", ".build/worker.mjs"].find((file) => !existsSync(join(root, file)));
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
