import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase } from "@/lib/testing/create-database";
import {
  endProcess,
  forkProduct,
  inheritedEnvironment,
  type Ready,
  requireBuild,
  whenReady,
} from "./product-processes";
import { freePort } from "./start-peer";

export const ADMIN = { email: "bench@example.test", password: "quiet-harbour-lantern" };
const WORKER_PAUSE_MS = 200;
/** The duration of a start is a result; only one that ends or hangs has failed. */
const PATIENCE_MS = 300_000;

export type Killable = {
  url: string;
  token: string;
  folder: string;
  /** Process id of the web process; 0 while there is none. */
  webPid(): number;
  start(): Promise<number>;
  startAndKill(afterMs: number): Promise<void>;
  whenWorking(): Promise<number>;
  killWeb(): Promise<void>;
  /** Kills the worker, which is started again as by the launcher. */
  killWorker(): Promise<void>;
  stop(): Promise<void>;
};

type Wanted = {
  faultsFor?(folder: string): Faults;
  database: string | null;
  withWorker?: boolean;
  env?: Record<string, string>;
  workerEnv?: Record<string, string>;
};

/** Prepares the built product with its own directory, address and database, to be started and killed repeatedly. */
export async function prepareKillable(wanted: Wanted): Promise<Killable> {
  const { faultsFor, database, withWorker = true, env = {}, workerEnv = {} } = wanted;
  requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "skillgate-faults-"));
  chmodSync(folder, 0o711);
  const token = `sgt_${randomBytes(32).toString("base64url")}`;
  const port = await freePort();
  const fresh = database === null ? null : await createDatabase(database, { purpose: "bench" });
  const webEnv = {
    ...inheritedEnvironment(),
    PORT: String(port),
    SKILLGATE_DATA: join(folder, "data"),
    SKILLGATE_LOG_LEVEL: "silent",
    SKILLGATE_ADMIN_EMAIL: ADMIN.email,
    SKILLGATE_ADMIN_PASSWORD: ADMIN.password,
    SKILLGATE_ADMIN_TOKEN: token,
    ...(fresh ? { DATABASE_URL: fresh.url } : {}),
    ...environmentOf(faultsFor?.(folder) ?? {}),
    ...env,
  };
  let web: ChildProcess | null = null;
  let worker: ChildProcess | null = null;
  let ready: Ready | null = null;
  let isStopping = false;

  const ensureWorker = () => {
    if (!withWorker || isStopping || worker !== null || ready === null) return;
    const started = forkProduct(".build/worker.mjs", ["--supervised"], {
      ...inheritedEnvironment(),
      SKILLGATE_LOG_LEVEL: "silent",
      ...workerEnv,
    });
    worker = started;
    started.on("error", () => undefined);
    started.send(
      { type: "start", url: ready.workerUrl, token: ready.workerToken, name: "local", workDir: join(folder, "work") },
      () => undefined,
    );
    started.once("exit", () => {
      worker = null;
      setTimeout(ensureWorker, WORKER_PAUSE_MS);
    });
  };
  const forkWeb = () => {
    const started = forkProduct("bin/web.mjs", [], webEnv);
    started.once("exit", () => {
      web = null;
      ready = null;
    });
    web = started;
    return started;
  };
  const killWeb = async () => {
    if (web !== null) await endProcess(web, "SIGKILL");
  };
  const stop = async () => {
    isStopping = true;
    for (const child of [worker, web]) if (child !== null) await endProcess(child);
    await fresh?.drop();
    rmSync(folder, { recursive: true, force: true });
  };

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    folder,
    webPid: () => web?.pid ?? 0,
    start: async () => {
      const startedAt = performance.now();
      ready = await whenReady<Ready>(forkWeb(), "server", PATIENCE_MS);
      ensureWorker();
      return performance.now() - startedAt;
    },
    startAndKill: async (afterMs) => {
      const started = forkWeb();
      await delay(afterMs);
      await endProcess(started, "SIGKILL");
    },
    whenWorking: async () => {
      if (worker === null) throw new Error("The worker was not started.");
      await whenReady(worker, "worker");
      return worker.pid ?? 0;
    },
    killWeb,
    killWorker: async () => {
      if (worker !== null) await endProcess(worker, "SIGKILL");
    },
    stop,
  };
}

export type Faults = {
  /** Shifts the clock by the milliseconds in this file; `SIGUSR2` makes the server read it again. */
  clockFile?: string;
  /** Shifts the monotonic clock too, so that a jump looks like passed time. */
  isClockHidden?: boolean;
  hashesFile?: string;
  /** Compares no password for a missing account. */
  isForgetful?: boolean;
  /** Acknowledges changes this long before they are made. */
  acknowledgeEarlyMs?: number;
  ignoreIfMatch?: boolean;
  /** Injects a defect into one of `every` requests. */
  defect?: { kind: "crash" | "500" | "hang" | "file"; every: number; file?: string };
};

export function environmentOf(faults: Faults): Record<string, string> {
  if (Object.keys(faults).length === 0) return {};
  const preload = join(import.meta.dirname, "fault-preload.cjs");
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require=${preload}`.trim(),
    BENCH_FAULTS: JSON.stringify(faults),
  };
}
