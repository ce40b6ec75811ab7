import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@/lib/testing/create-database";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { memoryMiBOf, requireBuild } from "./harness/product-processes";
import { liftLimits, must, publishSkill } from "./harness/publish-skill";
import { environmentIn, startLauncher } from "./harness/start-seeded";

const CLIENTS = 32;
const SECONDS = 30;
/** A mix of requests of people, agents and scripts: nine reads to one write, one run to twenty requests. */
type Operation = { name: string; share: number; ask(caller: Caller, number: number): Promise<number> };
type Figures = { requests: number; failed: number; perSecond: number; p50Ms: number; p95Ms: number };
type Result = {
  on: string;
  startMs: number;
  figures: Figures;
  memory: Record<string, { idleMiB: number; loadedMiB: number }>;
};

/**
 * Starts the built product like `npm start` and sends a mix of requests with 32 concurrent clients; on SQLite, and with
 * `--database` on PostgreSQL as well. The baseline is a plain `node:http` server with the same clients that answers with
 * the same number of bytes. `--rounds` is the number of seconds.
 */
export async function benchLoad({ quick, json, rounds, database }: BenchOptions): Promise<void> {
  requireBuild();
  const seconds = rounds ?? (quick ? 3 : SECONDS);
  const bare = await measureBare(seconds);
  const result = [await measureProduct("SQLite", seconds)];
  if (database !== null) {
    const fresh = await createDatabase(database, { purpose: "bench" });
    try {
      result.push(await measureProduct("PostgreSQL", seconds, fresh.url));
    } finally {
      await fresh.drop();
    }
  }
  for (const { on, startMs, figures, memory } of result) {
    const kept = Object.entries(memory).map(
      ([name, { idleMiB, loadedMiB }]) => `${name} ${idleMiB} MiB idle, ${loadedMiB} loaded`,
    );
    console.log(
      `load on ${on}: ${figures.perSecond.toFixed(0)} requests/s (${(figures.perSecond / bare.perSecond).toFixed(2)} of a bare node:http server's ${bare.perSecond.toFixed(0)}), p50 ${figures.p50Ms.toFixed(1)} ms, p95 ${figures.p95Ms.toFixed(1)} ms, ${figures.failed} of ${figures.requests} failed; ${kept.join("; ")}; healthy ${(startMs / 1000).toFixed(1)} s after npm start`,
    );
  }
  if (json) console.log(JSON.stringify({ bench: "load", clients: CLIENTS, seconds, bare, result }));
  if (result.some(({ figures }) => figures.failed > 0)) process.exitCode = 1;
}

async function measureProduct(on: string, seconds: number, url?: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-load-"));
  chmodSync(folder, 0o711);
  const token = `sgt_${randomBytes(32).toString("base64url")}`;
  const startedAt = performance.now();
  const launcher = await startLauncher({
    ...environmentIn(folder, { password: randomBytes(18).toString("base64url"), token }),
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  });
  try {
    const caller = openCaller(launcher.url, token);
    await must(caller, "GET", "/api/health");
    const startMs = performance.now() - startedAt;
    await liftLimits(caller);
    const skill = await publishSkill(caller, "loaded");
    await must(caller, "POST", `/api/skills/${skill}/runs`, { args: {}, wait: 20 });
    const idle = memoryOf(launcher.pid);
    const figures = await applyLoad(seconds, operationsFor(skill), caller);
    const loaded = memoryOf(launcher.pid);
    caller.close();
    const memory = Object.fromEntries(
      Object.keys(idle).map((name) => [name, { idleMiB: idle[name] ?? 0, loadedMiB: loaded[name] ?? 0 }]),
    );
    return { on, startMs, figures, memory };
  } finally {
    await launcher.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function operationsFor(skill: string): Operation[] {
  const get = (path: string) => async (caller: Caller) => (await caller.call("GET", path)).status;
  return [
    { name: "health", share: 10, ask: get("/api/health") },
    { name: "my skills", share: 20, ask: get("/api/skills") },
    { name: "a skill", share: 15, ask: get(`/api/skills/${skill}`) },
    { name: "runs", share: 15, ask: get("/api/runs?limit=20") },
    { name: "timeline", share: 10, ask: get("/api/audit?limit=20") },
    { name: "catalog", share: 10, ask: get("/api/catalog?limit=20") },
    { name: "preamble", share: 10, ask: get("/api/agent/preamble") },
    {
      name: "change",
      share: 5,
      ask: async (caller, number) => {
        const json = { tags: [`tag-${number % 7}`] };
        return (await caller.call("PATCH", `/api/skills/${skill}`, { json })).status;
      },
    },
    {
      name: "run",
      share: 5,
      ask: async (caller, number) => {
        const json = { args: { text: `${number}` }, wait: 0 };
        return (await caller.call("POST", `/api/skills/${skill}/runs`, { json })).status;
      },
    },
  ];
}

async function applyLoad(seconds: number, mix: Operation[], caller: Caller): Promise<Figures> {
  const order = mix.flatMap((ask) => Array<Operation>(ask.share).fill(ask));
  const times: number[] = [];
  const failures = new Map<string, number>();
  const until = performance.now() + seconds * 1000;
  let number = 0;
  const client = async () => {
    while (performance.now() < until) {
      const mine = number++;
      const asked = order[(mine * 37) % order.length] as Operation;
      const startedAt = performance.now();
      const status = await asked.ask(caller, mine).catch(() => 0);
      times.push(performance.now() - startedAt);
      if (status < 200 || status >= 300) {
        const what = `${asked.name} ${status}`;
        failures.set(what, (failures.get(what) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const [what, count] of failures) console.error(`failed: ${what}, ${count} times`);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { requests: times.length, failed, perSecond: times.length / seconds, p50Ms: at(0.5), p95Ms: at(0.95) };
}

async function measureBare(seconds: number): Promise<Figures> {
  const body = JSON.stringify({ items: "x".repeat(4_000) });
  const server: Server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const caller = openCaller(`http://127.0.0.1:${port}`, null);
  try {
    return await applyLoad(Math.min(seconds, 5), operationsFor("bare"), caller);
  } finally {
    caller.close();
    server.close();
  }
}

/** Resident memory in MiB of the launcher and its child processes, by their titles. */
function memoryOf(launcher: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
      if (parent !== launcher && Number(pid) !== launcher) continue;
      const title = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "";
      const name = title.includes("web") ? "web" : title.includes("worker") ? "worker" : "launcher";
      found[name] = memoryMiBOf(Number(pid)) ?? 0;
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
