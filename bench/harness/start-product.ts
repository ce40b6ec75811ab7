import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "./api-client";
import {
  endProcess,
  forkProduct,
  inheritedEnvironment,
  type Ready,
  requireBuild,
  whenReady,
} from "./product-processes";

const NO_LIMITS = { requestsPerMinute: 1_000_000, runsPerMinute: 1_000_000 };
const WITHOUT_SANDBOX = { safeWithoutSandbox: true, mutatingWithoutSandbox: true, dangerousWithoutSandbox: true };

type Isolation = "none" | "process" | "sandbox";
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
    for (const child of children.reverse()) await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const inherited = inheritedEnvironment();
    const start = (file: string, args: string[], env: Record<string, string | undefined>) => {
      const child = forkProduct(file, args, env);
      children.push(child);
      return child;
    };
    const web = start("bin/web.mjs", [], {
      ...inherited,
      PORT: process.env.PORT || "0",
      SKILLGATE_DATA: join(folder, "data"),
      SKILLGATE_LOG_LEVEL: "warn",
      SKILLGATE_ADMIN_EMAIL: "bench@example.test",
      SKILLGATE_ADMIN_PASSWORD: randomBytes(18).toString("base64url"),
      SKILLGATE_ADMIN_TOKEN: token,
    });
    const { workerUrl, workerToken } = await whenReady<Ready>(web, "server");
    const worker = start(".build/worker.mjs", ["--supervised"], {
      ...inherited,
      SKILLGATE_LOG_LEVEL: "warn",
      SKILLGATE_WORKER_SANDBOX: sandbox,
    });
    worker.send({ type: "start", url: workerUrl, token: workerToken, name: "local", workDir: join(folder, "work") });
    await whenReady(worker, "worker");
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
