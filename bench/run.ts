import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { readHeads, writeHead } from "@/lib/audit/chain/heads";
import { findBroken, runTamperings, type Tampered } from "@/lib/audit/testing/run-tamperings";
import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { loadSigningKey } from "@/lib/core/signing-key";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { openDatabase } from "@/lib/db/open-database";
import { benchAgent } from "./agent";
import { benchArchives } from "./archives";
import { benchAudit } from "./audit";
import { benchBackup } from "./backup";
import { benchBlocking } from "./blocking";
import { benchBundle } from "./bundle";
import { benchCatalog } from "./catalog";
import { benchClock } from "./clock";
import { benchDiskFull } from "./disk-full";
import { benchDryRuns } from "./dry-runs";
import { benchEdits } from "./edits";
import { benchFirstStart } from "./first-start";
import { benchFormat } from "./format";
import { benchGuesses } from "./guesses";
import type { BenchOptions } from "./harness/bench-options";
import { fillAudit } from "./harness/fill-audit";
import { median, round } from "./harness/measure";
import { MissingBuild, memoryMiBOf } from "./harness/product-processes";
import { startProduct } from "./harness/start-product";
import { benchInstances } from "./instances";
import { benchKills } from "./kills";
import { benchLighthouse } from "./lighthouse";
import { benchLoad } from "./load";
import { benchMalformed } from "./malformed";
import { benchMigrations } from "./migrations";
import { benchOverlap } from "./overlap";
import { benchPages } from "./pages";
import { benchReads } from "./reads";
import { runOverhead } from "./run-overhead";
import { benchScaleOut } from "./scale-out";
import { benchScan } from "./scan";
import { benchWalks } from "./walks";

const SMALL_MIB = 50;

const LARGE_MIB = 450;

const BENCHES: Record<string, { about: string; run: (options: BenchOptions) => Promise<void> }> = {
  agent: {
    about: "an agent's preamble and MCP tools/list with 10, 1,000 and 20,000 skills of which 10 are on, in turns",
    run: benchAgent,
  },
  archives: {
    about: "the first archives after a start, under load, against a server that stores none on disk",
    run: benchArchives,
  },
  audit: { about: "pages of a timeline of a million events, and its verification", run: benchAudit },
  "audit-tamper": {
    about: "a thousand random changes to an audit, and how many a verification detects",
    run: benchTamper,
  },
  backup: { about: "backups of a server under writes, restored and compared", run: benchBackup },
  bundle: {
    about: "the JavaScript that each page loads at first, in gzip bytes beyond a bare Next page",
    run: benchBundle,
  },
  blocking: {
    about: "the longest pause of the event loop during syncs and other long work, and the gaps of /api/health",
    run: benchBlocking,
  },
  catalog: {
    about: "requests to a catalog of 20,000 entries against plain LIKE, and a cold sync against a shallow clone",
    run: benchCatalog,
  },
  "disk-full": { about: "a full disk under a server with writes (needs root)", run: benchDiskFull },
  clock: { about: "a clock that jumps: is anything lost, run twice or stopped", run: benchClock },
  "dry-runs": { about: "the time of a dry run as a multiple of an ordinary run", run: benchDryRuns },
  edits: { about: "32 clients that change the same objects at the same time: is any update lost", run: benchEdits },
  "first-start": {
    about: "the cost of a first npm start: packages, build, bytes, memory; against a bare Next build",
    run: benchFirstStart,
  },
  format: { about: "the full skill reader against plain YAML parsing of the same frontmatters", run: benchFormat },
  guesses: { about: "10,000 sign-in guesses at one account, and from one address", run: benchGuesses },
  instances: {
    about: "two servers on one PostgreSQL database share runs, and one of them is killed",
    run: benchInstances,
  },
  kills: { about: "SIGKILL a hundred times under changes of every kind: is anything lost", run: benchKills },
  lighthouse: {
    about: "Lighthouse on the main pages: performance and accessibility",
    run: benchLighthouse,
  },
  load: {
    about: "a mix of requests with 32 clients, memory, and the time from npm start to healthy",
    run: benchLoad,
  },
  malformed: { about: "2,000 malformed requests: crashes, 5xx answers, hangs, files outside", run: benchMalformed },
  migrations: { about: "kills during a migration, and the start afterwards", run: benchMigrations },
  overlap: {
    about: "near copies among 20,000 catalog entries, against a comparison of all texts",
    run: benchOverlap,
  },
  pages: {
    about: "the server time of pages, against a bare Next page with the same bytes",
    run: benchPages,
  },
  reads: {
    about: "every GET that answers from stored rows, against a bare Next route with the same bytes",
    run: benchReads,
  },
  "run-overhead": {
    about:
      "runs with wait, in a cold and a warm sandbox and without one, against direct spawn, direct bwrap and other installed servers",
    run: runOverhead,
  },
  scan: { about: "recall and false alarms of the scan, its cost, and every rule against hostile text", run: benchScan },
  "scale-out": {
    about:
      "writes of 1, 2 and 4 processes on one PostgreSQL database with slow commits, against events without a chain",
    run: benchScaleOut,
  },
  "spawn-size": { about: "starting a process from a small process and from a large one", run: spawnSize },
  walks: { about: "the files of which one request executes a function: browse, import, run", run: benchWalks },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    large: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
    database: { type: "string" },
    seed: { type: "string" },
  },
});
const only = values.only?.split(",") ?? null;
const rounds = values.rounds === undefined ? null : Math.max(1, Number.parseInt(values.rounds, 10) || 1);
const seed = values.seed === undefined ? null : Number.parseInt(values.seed, 10) || 0;
const bench = BENCHES[positionals[0] ?? ""];
if (bench) {
  await bench.run({ ...values, only, rounds, database: values.database ?? null, seed }).catch((error: unknown) => {
    if (!(error instanceof MissingBuild)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.error(
    "usage: npm run bench -- NAME [--quick] [--json] [--large] [--only PART,…] [--rounds N] [--seed N] [--database postgresql://…]",
  );
  for (const [name, { about }] of Object.entries(BENCHES)) console.error(`  ${name}: ${about}`);
  process.exitCode = 2;
}

/** Measures how long `spawn` blocks: libuv forks, which copies the parent's page tables. So the worker is a separate process. */
async function spawnSize({ quick, json, rounds }: BenchOptions): Promise<void> {
  const turns = rounds ?? (quick ? 1 : 5);
  const processes = [startSpawner(SMALL_MIB), startSpawner(LARGE_MIB)];
  const blocked: number[][] = processes.map(() => []);
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [index, child] of processes.entries()) blocked[index]?.push(...(await askFor(child, quick ? 5 : 40)));
    }
  } finally {
    for (const child of processes) child.disconnect();
  }
  const [smallMs = 0, largeMs = 0] = blocked.map(median);
  const workerMiB = await measureWorker();
  const worker = workerMiB === null ? "the worker was not measured" : `the worker has ${workerMiB} MiB`;
  console.log(
    `spawn-size: ${smallMs} ms from ${SMALL_MIB} MiB, ${largeMs} ms from ${LARGE_MIB} MiB, ratio ${round(largeMs / smallMs)}; ${worker}`,
  );
  if (json) console.log(JSON.stringify({ bench: "spawn-size", node: process.version, smallMs, largeMs, workerMiB }));
}

async function measureWorker(): Promise<number | null> {
  try {
    const product = await startProduct();
    try {
      return memoryMiBOf(product.pids.worker);
    } finally {
      await product.stop();
    }
  } catch (error) {
    if (error instanceof MissingBuild) return null;
    throw error;
  }
}

function startSpawner(sizeMiB: number): ChildProcess {
  const file = fileURLToPath(new URL("./harness/spawner.mjs", import.meta.url));
  return fork(file, [String(sizeMiB)], { execArgv: [] });
}

function askFor(child: ChildProcess, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the process to spawn from ended with exit code ${code}`));
    child.once("exit", fail);
    child.once("message", (times) => {
      child.off("exit", fail);
      resolve(times as number[]);
    });
    child.send(count);
  });
}

/**
 * Tampers with a copy of an audit a thousand times, in ten ways, and counts how often a verification detects it; then
 * repeats that with a verification that accepts every event, and on the unchanged copy. Fails when one is missed, or when a
 * control finds any. `--rounds` is the number of changes, `AUDIT_SEED` repeats a run.
 */
async function benchTamper({ quick, json, rounds }: BenchOptions): Promise<void> {
  const [events, times] = [quick ? 200 : 1_000, rounds ?? (quick ? 50 : 1_000)];
  const seed = Number(process.env.AUDIT_SEED ?? Date.now() % 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), "skillgate-tamper-"));
  const file = join(folder, "skillgate.db");
  try {
    await applyMigrations({ file }, join(import.meta.dirname, "..", "prisma", "migrations"));
    const database = await openDatabase({ file, synchronous: "off" });
    const key = await chainKeyOf(database);
    fillAudit(file, key, events);
    await writeHead(database, new Date());
    const heads = await readHeads(folder, await loadSigningKey(folder));
    await database.close();
    if (heads === null) throw new Error("the second file was not written");
    const db = new Sqlite(file);
    const sample = { db, key, heads };
    const before = await findBroken(sample);
    const startedAt = performance.now();
    const outcomes = await runTamperings(sample, { times, random: seededRandom(seed) });
    const seconds = (performance.now() - startedAt) / 1000;
    const blindTimes = Math.min(times, 100);
    const blind = await runTamperings(
      { ...sample, skipChecks: true },
      { times: blindTimes, random: seededRandom(seed) },
    );
    const after = await findBroken(sample);
    db.close();
    print(outcomes);
    const found = count(outcomes);
    console.log(
      `Tamperings detected: ${found} of ${times}, with ${events} events and the seed ${seed}, in ${seconds.toFixed(1)} s.`,
    );
    console.log(`Control, without the check of the chain: ${count(blind)} of ${blindTimes} found; 0 expected.`);
    console.log(
      `Control, nothing changed: ${before === null && after === null ? "valid" : "INVALID"} before and after.`,
    );
    for (const { kind, what } of outcomes.filter((outcome) => outcome.found === null))
      console.log(`MISSED ${kind}: ${what}`);
    if (json) console.log(JSON.stringify({ bench: "audit-tamper", seed, events, times, found, blind: count(blind) }));
    if (found < times || count(blind) > 0 || before !== null || after !== null) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function count(outcomes: readonly Tampered[]): number {
  return outcomes.filter(({ found }) => found !== null).length;
}

function print(outcomes: readonly Tampered[]): void {
  const rows: Record<string, Record<string, number>> = {};
  for (const { kind, found } of outcomes) {
    rows[kind] ??= { tried: 0, found: 0 };
    const row = rows[kind];
    row.tried = (row.tried ?? 0) + 1;
    if (found === null) continue;
    row.found = (row.found ?? 0) + 1;
    row[`as ${found.problem}`] = (row[`as ${found.problem}`] ?? 0) + 1;
  }
  console.table(rows);
}
