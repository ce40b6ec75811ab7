import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { GET } from "@/app/api/catalog/route";
import type { CatalogPage } from "@/lib/catalog/schema";
import { createSource } from "@/lib/catalog/sources/create-source";
import { getSource, syncSource } from "@/lib/catalog/sources/sources";
import { createSyncRunner } from "@/lib/catalog/sync/sync-runner";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { type Ctx, createCtx } from "@/lib/db/context";
import type { Database } from "@/lib/db/database";
import { getDatabase } from "@/lib/db/open-database";
import type { BenchOptions } from "./harness/bench-options";
import { FACET_VALUES, generateSearches } from "./harness/generate-repository";
import { addBlock, createSeries, type Figures, figuresOf, median, round } from "./harness/measure";

const PAGE = 60;

type Row = { request: string; catalog: Figures; like: Figures; ratio: number };
/** An address of the API and a plain SQL statement that finds the same rows. */
type Twin = { path: string; where: string; values: string[]; order?: string; rows: "all" | "same" };

/**
 * Requests to the catalog, through the route with sign-in and JSON answer, compared with a plain `LIKE` for the same rows;
 * and a cold sync compared with a shallow clone that reads the same files. In one process, without a listener.
 */
export async function benchCatalog({ quick, json }: BenchOptions): Promise<void> {
  const [repositories, skills] = quick ? [3, 100] : [20, 1_000];
  const folder = mkdtempSync(join(tmpdir(), "skillgate-bench-"));
  const file = join(folder, "skillgate.db");
  process.env.SKILLGATE_DATA = folder;
  process.env.SKILLGATE_LOG_LEVEL = "silent";
  delete process.env.DATABASE_URL;
  const served = await serveRepositories(repositories, skills);
  try {
    process.env.GITHUB_API_URL = served.apiUrl;
    process.env.GITHUB_RAW_URL = served.rawUrl;
    await applyMigrations({ file }, join(import.meta.dirname, "..", "prisma", "migrations"));
    const database = await getDatabase();
    const { ctx, token } = await createAdmin(database);
    const system = createCtx({ actor: { kind: "system", name: "bench" }, database });
    const times = await fillCatalog(ctx, system, served, skills);
    const rows = await measureRequests(file, token, quick ? 20 : 300);
    console.table(Object.fromEntries(rows.map((row) => [row.request, tableRow(row)])));
    printLines(rows, times, repositories * skills);
    if (json) console.log(JSON.stringify({ bench: "catalog", node: process.version, quick, rows, times }));
    await database.close();
  } finally {
    served.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createAdmin(database: Database) {
  const [id, secret, at] = [newId(), `sgt_${randomBytes(32).toString("base64url")}`, new Date()];
  const name = "Bench";
  const email = "bench@example.test";
  await database.writer.user.create({
    data: { id, email, name, role: "admin", state: "active", createdAt: at, updatedAt: at },
  });
  const scopes = JSON.stringify(["read", "write", "admin"]);
  await database.writer.apiToken.create({
    data: { id: newId(), userId: id, createdBy: id, name, secretHash: sha256Hex(secret), scopes, createdAt: at },
  });
  const actor = { kind: "user", userId: id, name, email, role: "admin", sessionId: newId() } as const;
  return { ctx: createCtx({ actor, database }), token: secret };
}

async function measureRequests(file: string, token: string, count: number): Promise<Row[]> {
  const bare = new Sqlite(file, { readonly: true });
  const ask = async (path: string) => {
    const request = new Request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${token}` } });
    const response = await GET(request, { params: Promise.resolve({}) });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as CatalogPage;
  };
  const like = ({ where, values, order = "" }: Twin) =>
    bare
      .prepare(
        `SELECT * FROM "CatalogEntry" WHERE "state" = 'present' AND ${where} ORDER BY ${order} "slug", "id" LIMIT ${PAGE}`,
      )
      .all(...values);
  const rows: Row[] = [];
  for (const [request, twins] of Object.entries(twinsOf(count))) {
    const [first] = twins;
    if (first) await ask(first.path);
    const series = { catalog: createSeries(), like: createSeries() };
    for (const twin of twins) {
      let shown = 0;
      await addBlock(series.catalog, { count: 1, concurrency: 1 }, async () => {
        shown = (await ask(twin.path)).items.length;
      });
      let found = 0;
      await addBlock(series.like, { count: 1, concurrency: 1 }, async () => {
        found = like(twin).length;
      });
      // LIKE also finds the middle of words, which the index searches only when no word begins with the text.
      if ((shown === 0 && found > 0) || (twin.rows === "same" && shown !== found)) {
        throw new Error(`${twin.path} showed ${shown} entries where LIKE found ${found}`);
      }
    }
    const [catalog, bareFigures] = [figuresOf(series.catalog), figuresOf(series.like)];
    rows.push({ request, catalog, like: bareFigures, ratio: round(catalog.p50Ms / bareFigures.p50Ms) });
  }
  bare.close();
  return rows;
}

function twinsOf(count: number): Record<string, Twin[]> {
  const text = `("name" || ' ' || "description" || ' ' || "tags" || ' ' || "folder")`;
  const contains = (words: string[]) => words.map(() => `${text} LIKE ?`).join(" AND ");
  const searches = generateSearches(count).map((q): Twin => {
    const words = q.split(" ");
    return { path: address({ q }), where: contains(words), values: words.map((word) => `%${word}%`), rows: "all" };
  });
  const browse = Array.from({ length: count }, (_, index): Twin => {
    const sort = (["name", "updated", "size"] as const)[index % 3] ?? "name";
    const order = { name: "", updated: `"changedAt" DESC,`, size: `"bytes" DESC,` }[sort];
    return { path: address({ sort }), where: `"name" LIKE ?`, values: ["%"], order, rows: "same" };
  });
  const facets = Array.from({ length: count }, (_, index): Twin => {
    const tag = FACET_VALUES.tag[index % FACET_VALUES.tag.length] ?? "";
    const license = FACET_VALUES.license[index % FACET_VALUES.license.length] ?? "";
    const category = FACET_VALUES.category[index % FACET_VALUES.category.length] ?? "";
    return index % 2 === 0
      ? { path: address({ tag }), where: `"tags" LIKE ?`, values: [`%"${tag}"%`], rows: "same" }
      : {
          path: address({ license, category }),
          where: `"license" LIKE ? AND "category" LIKE ?`,
          values: [license, category],
          rows: "same",
        };
  });
  return { browse, search: searches, facet: facets };
}

function address(query: Record<string, string>): string {
  return `/api/catalog?${new URLSearchParams({ limit: String(PAGE), ...query })}`;
}

function tableRow({ catalog, like, ratio }: Row) {
  return {
    requests: catalog.count,
    "p50 ms": catalog.p50Ms,
    "p95 ms": catalog.p95Ms,
    "LIKE p50 ms": like.p50Ms,
    "LIKE p95 ms": like.p95Ms,
    ratio,
  };
}

function printLines(rows: Row[], times: SyncTimes, entries: number): void {
  const parts = rows.map(
    ({ request, catalog, like, ratio }) =>
      `${request} p50 ${catalog.p50Ms} ms, p95 ${catalog.p95Ms} ms (LIKE ${like.p50Ms}, ${like.p95Ms}; ratio ${ratio})`,
  );
  console.log(`catalog: ${entries.toLocaleString("en-US")} entries, ${parts.join(", ")}`);
  const [sync, clone] = [median(times.syncMs), median(times.cloneMs)];
  const reads = Math.round(times.rawReads / times.syncMs.length);
  const requests = round(times.apiRequests / times.syncMs.length);
  console.log(
    `catalog: cold sync of ${times.skills} skills ${Math.round(sync)} ms with ${requests} API requests and ${reads} raw reads, ` +
      `git clone --depth 1 and reading the same files ${Math.round(clone)} ms, ratio ${round(sync / clone)}`,
  );
}

type SyncTimes = { skills: number; syncMs: number[]; cloneMs: number[]; apiRequests: number; rawReads: number };

type Served = { apiUrl: string; rawUrl: string; folders: string[] };
type FakeGitHubProcess = Served & { stop(): void };

/** Generated repositories behind a fake GitHub in its own process, so that serving them costs this process no time. */
async function serveRepositories(repositories: number, skills: number): Promise<FakeGitHubProcess> {
  const file = join(import.meta.dirname, "..", "fake-github.ts");
  const child = fork(file, [String(repositories), String(skills)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const served = await firstMessage<Served>(child);
  return { ...served, stop: () => child.disconnect() };
}

async function fillCatalog(ctx: Ctx, system: Ctx, served: FakeGitHubProcess, skills: number): Promise<SyncTimes> {
  const runner = createSyncRunner();
  const times: SyncTimes = { skills, syncMs: [], cloneMs: [], apiRequests: 0, rawReads: 0 };
  for (const [number, folder] of served.folders.entries()) {
    const { id } = await createSource(ctx, {
      label: `Repository ${number}`,
      repoUrl: `https://github.com/bench/skills-${number}`,
      enabled: true,
      intervalMinutes: 10_080,
      sync: false,
    });
    await syncSource(ctx, id);
    const start = performance.now();
    await runner.start(system);
    await runner.idle();
    times.syncMs.push(performance.now() - start);
    const source = await getSource(ctx, id);
    if (source.error !== null || source.counts.entries !== skills) {
      throw new Error(
        `the sync of ${source.label} found ${source.counts.entries} of ${skills} skills: ${source.error}`,
      );
    }
    times.apiRequests += source.requests;
    times.rawReads += source.rawReads;
    times.cloneMs.push(cloneAndRead(folder));
  }
  await runner.stop();
  return times;
}

function firstMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`The fake GitHub ended with exit code ${code}.`)));
  });
}

function cloneAndRead(repository: string): number {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-bench-clone-"));
  const start = performance.now();
  try {
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${repository}`, folder], { stdio: "ignore" });
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (path.endsWith("SKILL.md")) readFileSync(join(folder, path));
    }
    return performance.now() - start;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
