import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readEvents } from "@/lib/audit/chain/chain-events";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { headsFileOf, writeHead } from "@/lib/audit/chain/heads";
import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { type ChainsSample, tamperChains, verifySample } from "@/lib/audit/testing/tamper-chains";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { loadSigningKey } from "@/lib/core/signing-key";
import { applyMigrations } from "@/lib/db/apply-migrations";
import type { Database } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { createDatabase } from "@/lib/testing/create-database";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { median, round } from "./harness/measure";
import type { WriteMode, WriteOrder, Written } from "./harness/write-when-told";

const PROCESSES = 4;
const COMMIT_DELAY_MS = 5;
const TAMPERINGS = 1_000;
/** Writes of each process before its events are tampered with; heads are signed in between. */
const SAMPLE_WRITES = 20;
const SAMPLE_HEADS = 5;

const WAYS: readonly { name: string; mode: WriteMode; processes: number }[] = [
  { name: "1 process", mode: "audited", processes: 1 },
  { name: "2 processes", mode: "audited", processes: 2 },
  { name: "4 processes", mode: "audited", processes: 4 },
  { name: "1 process without the chain", mode: "unchained", processes: 1 },
  { name: "4 processes without the chain", mode: "unchained", processes: 4 },
  { name: "control: 4 processes with one lock", mode: "one-lock", processes: 4 },
];

/**
 * Writes with an audit event each, by 1, 2 and 4 processes on one PostgreSQL database whose commits take 5 ms longer
 * (`commit_delay` with `commit_siblings = 0`; the server must sync its log). Baseline in the same run: the same events
 * without a chain. Control: a lock that all share, as in earlier releases, which must not scale. Then verifies the
 * audit, and 1,000 drawn tamperings of a part of it.
 */
export async function benchScaleOut({ quick, json, rounds, database: server, seed }: BenchOptions): Promise<void> {
  if (server === null)
    throw new Error("scale-out needs --database postgresql://…, a server on which databases may be created.");
  const folder = mkdtempSync(join(tmpdir(), "skillgate-scale-out-"));
  const fresh = await Promise.all(["audited", "unchained"].map(() => createDatabase(server, { purpose: "bench" })));
  const [audited, unchained] = fresh.map(({ url }) => ({ url, keyFolder: folder }));
  if (audited === undefined || unchained === undefined) throw new Error("there are no databases");
  const children: ChildProcess[] = [];
  let database: Database | null = null;
  try {
    for (const address of [audited, unchained]) {
      await applyMigrations(address, join(import.meta.dirname, "..", "prisma", "migrations"));
      await slowCommits(address.url);
    }
    database = await openDatabase(audited);
    await chainKeyOf(database);
    for (let number = 1; number <= PROCESSES; number += 1) {
      children.push(await startWriter({ audited, unchained, number }));
    }
    const sample = await writeSample(database, children);
    const figures = await measure(children, { rounds: rounds ?? (quick ? 1 : 5), forMs: quick ? 1_000 : 4_000 });
    await writeHead(database, new Date());
    const audit = await verifyFolder(folder, audited);
    const drawn = seedOf(seed);
    const tampered = await tamper(database, sample, { times: quick ? 100 : TAMPERINGS, seed: drawn });
    report(figures, { audit, tampered, seed: drawn, json });
  } finally {
    for (const child of children) child.kill();
    await database?.close();
    for (const { drop } of fresh) await drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function slowCommits(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ fsync: string; name: string }>(
      `SELECT current_setting('fsync') AS "fsync", quote_ident(current_database()) AS "name"`,
    );
    // PostgreSQL delays commits only when they wait for the disk at all.
    if (rows[0]?.fsync !== "on") throw new Error("The server has fsync = off, so its commits cannot be delayed.");
    await client.query(`ALTER DATABASE ${rows[0].name} SET commit_delay = ${COMMIT_DELAY_MS * 1_000}`);
    await client.query(`ALTER DATABASE ${rows[0].name} SET commit_siblings = 0`);
    await client.query(`ALTER DATABASE ${rows[0].name} SET synchronous_commit = on`);
  } finally {
    await client.end();
  }
}

async function startWriter(given: object): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "harness", "write-when-told.ts"), [JSON.stringify(given)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

async function order(child: ChildProcess, what: WriteOrder): Promise<Written> {
  child.send(what);
  const [written] = (await once(child, "message")) as [Written];
  return written;
}

async function writeSample(database: Database, children: ChildProcess[]): Promise<ChainsSample> {
  for (let head = 0; head < SAMPLE_HEADS; head += 1) {
    await Promise.all(children.map((child) => order(child, { mode: "audited", count: SAMPLE_WRITES / SAMPLE_HEADS })));
    await writeHead(database, new Date());
  }
  const rows: unknown[] = [];
  const until = Number.MAX_SAFE_INTEGER;
  for await (const some of readEvents(database.readSql, { after: 0, until })) rows.push(...some);
  return { rows: rows as ChainsSample["rows"], heads: readFileSync(headsFileOf(database.keyFolder), "utf8") };
}

type Figure = { name: string; perSecond: number; attemptsPerWrite: number };

/** In turns, so that other work on the machine affects all alike. */
async function measure(children: ChildProcess[], { rounds, forMs }: { rounds: number; forMs: number }) {
  const seen = WAYS.map((way) => ({ ...way, rates: [] as number[], writes: 0, attempts: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const way of seen) {
      const { mode, processes } = way;
      const all = await Promise.all(children.slice(0, processes).map((child) => order(child, { mode, forMs })));
      way.rates.push(all.reduce((sum, { writes, elapsedMs }) => sum + (writes / elapsedMs) * 1_000, 0));
      for (const { writes, attempts } of all) {
        way.writes += writes;
        way.attempts += attempts;
      }
    }
  }
  return seen.map(({ name, rates, writes, attempts }): Figure => {
    return { name, perSecond: median(rates), attemptsPerWrite: round3(attempts / writes) };
  });
}

const round3 = (value: number) => Math.round(value * 1_000) / 1_000;

type Tampered = { times: number; found: number; missed: string[]; isValidBefore: boolean; foundWithoutChecks: number };

async function tamper(
  database: Database,
  sample: ChainsSample,
  { times, seed }: { times: number; seed: number },
): Promise<Tampered> {
  const keys = { key: await chainKeyOf(database), signer: await loadSigningKey(database.keyFolder) };
  const isValidBefore = (await verifySample(sample, keys)) === null;
  const random = seededRandom(seed);
  const outcomes = await tamperChains(sample, { ...keys, times, random });
  const missed = outcomes.filter(({ found }) => found === null).map(({ kind }) => kind);
  const unchecked = await tamperChains(sample, { ...keys, times: 50, random, skipChecks: true });
  const foundWithoutChecks = unchecked.filter(({ found }) => found !== null).length;
  return { times, found: times - missed.length, missed: [...new Set(missed)], isValidBefore, foundWithoutChecks };
}

type Result = { audit: Awaited<ReturnType<typeof verifyFolder>>; tampered: Tampered; seed: number; json: boolean };

function report(figures: readonly Figure[], { audit, tampered, seed, json }: Result): void {
  const rate = (name: string) => figures.find((figure) => figure.name === name)?.perSecond ?? Number.NaN;
  const toOne = round(rate("4 processes") / rate("1 process"));
  const toUnchained = round(rate("4 processes") / rate("4 processes without the chain"));
  const control = round(rate("control: 4 processes with one lock") / rate("1 process"));
  for (const { name, perSecond, attemptsPerWrite } of figures) {
    console.log(
      `${name.padEnd(36)} ${perSecond.toFixed(0).padStart(6)} writes/s, ${attemptsPerWrite} attempts per write`,
    );
  }
  console.log(`4 processes make ${toOne} times the writes of one, and ${toUnchained} of those without the chain.`);
  console.log(`Control: with one lock they make ${control} times the writes of one.`);
  console.log(
    `Audit: ${audit.firstBroken === null ? `valid, ${audit.checked} events, ${audit.unsigned} unsigned` : `NOT VALID: ${audit.firstBroken.message}`}.`,
  );
  console.log(
    `Tamperings (seed ${seed}): ${tampered.found} of ${tampered.times} found${tampered.missed.length === 0 ? "" : `, missed: ${tampered.missed.join(", ")}`}; before them the audit was ${tampered.isValidBefore ? "valid" : "NOT VALID"}; without the checks ${tampered.foundWithoutChecks} of 50 were found.`,
  );
  const isKept = toOne >= 3 && toUnchained >= 0.9 && audit.firstBroken === null && tampered.missed.length === 0;
  const isCheckable = control < 1.5 && tampered.isValidBefore && tampered.foundWithoutChecks === 0;
  if (!isKept || !isCheckable) process.exitCode = 1;
  if (json)
    console.log(JSON.stringify({ bench: "scale-out", figures, toOne, toUnchained, control, audit, tampered, seed }));
}
