import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { newId } from "@/lib/core/ids";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { addBlock, createSeries, type Figures, figuresOf, round, type Series } from "./harness/measure";
import { must, publishSkill } from "./harness/publish-skill";
import { type Product, startProduct } from "./harness/start-product";

const PROTOCOL = "2025-06-18";

type McpClient = { request<T>(method: string, params?: object): Promise<T>; close(): Promise<void> };

type Answer = { id?: number; result?: unknown; error?: { message: string } };

const ENABLED = 10;
const SIZES = [ENABLED, 1_000, 20_000];
const REQUESTS = ["preamble", "preamble after a change", "tools/list", "tools/list after a change"] as const;

type RequestName = (typeof REQUESTS)[number];
type Registry = { skills: number; product: Product; admin: Caller; agent: Caller; mcp: McpClient; toggled: string };
type Row = { request: RequestName; figures: Figures[]; ratios: number[] };

const AT_ONCE = 1_000;
const TRY_MS = 200;
const MAX_TRIES = 300;

/**
 * The first requests of an agent, over HTTP against the built product: its preamble and MCP's `tools/list`, in registries
 * of 10, 1,000 and 20,000 skills of which the same 10 are enabled. Each size has its own server, and they take turns, so
 * that the smallest is the baseline of the same minutes. “After a change”: a skill was just disabled and enabled, so that
 * caches are rebuilt.
 */
export async function benchAgent({ quick, json, rounds }: BenchOptions): Promise<void> {
  const registries: Registry[] = [];
  try {
    for (const skills of SIZES) registries.push(await openRegistry(skills));
    const rows = await measure(registries, { count: quick ? 5 : 40, rounds: rounds ?? (quick ? 2 : 8) });
    for (const { request, figures } of rows) {
      console.log(`\n${request}`);
      console.table(Object.fromEntries(figures.map((of, index) => [`${SIZES[index]} skills`, tableRow(of)])));
    }
    console.log(summarize(rows));
    if (json) console.log(JSON.stringify({ bench: "agent", node: process.version, quick, sizes: SIZES, rows }));
  } finally {
    for (const { product, admin, agent, mcp } of registries) {
      await mcp.close();
      for (const client of [admin, agent]) client.close();
      await product.stop();
    }
  }
}

async function openRegistry(skills: number): Promise<Registry> {
  const product = await startProduct();
  try {
    const admin = openCaller(product.url, product.token);
    const ids = await publishTen(admin);
    const [toggled] = ids;
    if (toggled === undefined) throw new Error("nothing was published");
    const there = await fillIdleSkills(product.folder, toggled, skills - ENABLED);
    if (there < skills) throw new Error(`${there} of ${skills} skills are there`);
    const persona = await must<{ id: string }>(admin, "POST", "/api/admin/personas", {
      name: "Bench",
      permissionMode: "mutating-with-confirm",
    });
    const { token } = await must<{ token: string }>(admin, "POST", "/api/tokens", {
      name: "bench",
      scopes: ["read", "run"],
      persona: persona.id,
    });
    await must(admin, "PATCH", "/api/admin/settings", { agentRequestsPerMinute: 60_000 });
    const agent = openCaller(product.url, token);
    const mcp = await openMcp(product.url, token);
    const registry = { skills, product, admin, agent, mcp, toggled };
    await assertSameTen(registry);
    return registry;
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function publishTen(admin: Caller): Promise<string[]> {
  type Listed = { items: { id: string }[] };
  const { items } = await must<Listed>(admin, "GET", "/api/skills?enabled=true&limit=100");
  for (const { id } of items) await must(admin, "PATCH", `/api/skills/${id}`, { enabled: false });
  const ids: string[] = [];
  for (let number = 0; number < ENABLED; number += 1) {
    ids.push(await publishSkill(admin, `bench_echo_${number}`));
  }
  return ids;
}

/** The figures are comparable only if every size serves the same ten skills. */
async function assertSameTen({ skills, agent, mcp }: Registry): Promise<void> {
  const preamble = JSON.stringify(await must(agent, "GET", "/api/agent/preamble?format=json"));
  const { tools } = await mcp.request<{ tools: { name: string }[] }>("tools/list");
  const shown = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `bench_echo_${number}`);
  const missing = shown.filter((name) => !preamble.includes(name) || !tools.some((tool) => tool.name === name));
  if (missing.length > 0) throw new Error(`with ${skills} skills an agent is not offered ${missing.join(", ")}`);
}

async function measure(registries: Registry[], { count, rounds }: { count: number; rounds: number }): Promise<Row[]> {
  const series = new Map(REQUESTS.map((request) => [request, registries.map(() => createSeries())]));
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const request of REQUESTS) {
      const calls = request.endsWith("change") ? Math.ceil(count / 4) : count;
      for (let call = 0; call < calls; call += 1) {
        for (let place = 0; place < registries.length; place += 1) {
          // Sizes take turns call by call, and each begins equally often, so that other load affects all alike.
          const index = (place + call) % registries.length;
          const [registry, kept] = [registries[index], series.get(request)?.[index]];
          if (registry && kept) await addCall(turn === 0 ? createSeries() : kept, registry, request);
        }
      }
    }
  }
  return REQUESTS.map((request) => {
    const figures = (series.get(request) ?? []).map(figuresOf);
    const [base] = figures;
    return { request, figures, ratios: figures.map(({ p50Ms }) => round(p50Ms / (base?.p50Ms ?? p50Ms))) };
  });
}

async function addCall(into: Series, { admin, agent, mcp, toggled }: Registry, request: RequestName): Promise<void> {
  if (request.endsWith("change")) {
    for (const enabled of [false, true]) await must(admin, "PATCH", `/api/skills/${toggled}`, { enabled });
  }
  const ask = request.startsWith("preamble")
    ? () => must(agent, "GET", "/api/agent/preamble?format=json")
    : () => mcp.request("tools/list");
  await addBlock(into, { count: 1, concurrency: 1 }, async () => void (await ask()));
}

function tableRow({ count, p50Ms, p95Ms }: Figures) {
  return { requests: count, "p50 ms": p50Ms, "p95 ms": p95Ms };
}

function summarize(rows: Row[]): string {
  const parts = rows.map(({ request, figures, ratios }) => {
    const all = figures.map(({ p50Ms }) => p50Ms).join(" / ");
    return `${request} p50 ${all} ms (20,000 against 10: ratio ${ratios.at(-1)})`;
  });
  return `agent: 10 / 1,000 / 20,000 skills, 10 of them on: ${parts.join(", ")}`;
}

async function openMcp(url: string, token: string): Promise<McpClient> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  let last = 0;
  const post = async (message: object) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`/mcp answered ${response.status}: ${text.slice(0, 500)}`);
    return { response, text };
  };
  const request = async <T>(method: string, params: object = {}) => {
    last += 1;
    const id = last;
    const { response, text } = await post({ id, method, params });
    const answer = messagesOf(response, text).find((message) => message.id === id);
    if (answer === undefined) throw new Error(`${method} was not answered: ${text.slice(0, 500)}`);
    if (answer.error) throw new Error(`${method} failed: ${answer.error.message}`);
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers["mcp-session-id"] = session;
    return answer.result as T;
  };
  const clientInfo = { name: "skillgate-bench", version: "1" };
  const { protocolVersion } = await request<{ protocolVersion: string }>("initialize", {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo,
  });
  headers["mcp-protocol-version"] = protocolVersion;
  await post({ method: "notifications/initialized" });
  return {
    request,
    async close() {
      await fetch(`${url}/mcp`, { method: "DELETE", headers });
    },
  };
}

function messagesOf(response: Response, text: string): Answer[] {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [JSON.parse(text) as Answer];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== "")
    .map((data) => JSON.parse(data) as Answer);
}

type Stored = Record<string, unknown>;

/**
 * Adds `count` approved but disabled skills to a product's database: copies of an existing one, each with its own name,
 * version and files. Bypasses the API, which would take minutes. Returns the number of skills afterwards.
 */
async function fillIdleSkills(folder: string, templateId: string, count: number): Promise<number> {
  const db = new Sqlite(join(folder, "data", "skillgate.db"), { timeout: 30_000 });
  try {
    db.pragma("foreign_keys = OFF");
    const one = (sql: string, id: unknown) => db.prepare(sql).get(id) as Stored;
    const skill = one(`SELECT * FROM "Skill" WHERE "id" = ?`, templateId);
    const version = one(`SELECT * FROM "Version" WHERE "id" = ?`, skill.currentId);
    const files = db.prepare(`SELECT * FROM "VersionFile" WHERE "versionId" = ?`).all(version.id) as Stored[];
    await untilScanned(db, String(version.id));
    const insert = (table: string, like: Stored) => {
      const columns = Object.keys(like);
      const values = columns.map((column) => `@${column}`).join(", ");
      return db.prepare(`INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${values})`);
    };
    const [addSkill, addVersion] = [insert("Skill", skill), insert("Version", version)];
    // Without this the server would scan them all during the measurement.
    const addScan = db.prepare(
      `INSERT INTO "VersionScan" SELECT ?, "rulesVersion", "complete", "capabilities", "scannedAt", "durationMs"
       FROM "VersionScan" WHERE "versionId" = ?`,
    );
    const addFile = files[0] ? insert("VersionFile", files[0]) : null;
    const addOne = (number: number) => {
      const [skillId, versionId, name] = [newId(), newId(), `idle-${number}`];
      const names = { name, slug: name, liveSlug: name, toolName: name.replace("-", "_") };
      addSkill.run({ ...skill, ...names, id: skillId, currentId: versionId, enabled: 0 });
      addVersion.run({ ...version, id: versionId, skillId });
      addScan.run(versionId, version.id);
      for (const file of files) addFile?.run({ ...file, ...("id" in file ? { id: newId() } : {}), versionId });
    };
    const addMany = db.transaction((from: number, to: number) => {
      for (let number = from; number < to; number += 1) addOne(number);
    });
    for (let from = 0; from < count; from += AT_ONCE) addMany(from, Math.min(count, from + AT_ONCE));
    return (db.prepare(`SELECT COUNT(*) AS "skills" FROM "Skill" WHERE "deletedAt" IS NULL`).get() as Stored)
      .skills as number;
  } finally {
    db.close();
  }
}

async function untilScanned(db: Sqlite.Database, versionId: string): Promise<void> {
  const scan = db.prepare(`SELECT 1 FROM "VersionScan" WHERE "versionId" = ?`);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (scan.get(versionId) !== undefined) return;
    await delay(TRY_MS);
  }
  throw new Error("the copied skill was not scanned within a minute");
}
