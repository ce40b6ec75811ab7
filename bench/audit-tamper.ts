import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { readHeads } from "@/lib/audit/chain/heads-file";
import { writeHead } from "@/lib/audit/chain/write-head";
import { findBroken, runTamperings, type Tampered } from "@/lib/audit/testing/run-tamperings";
import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { loadSigningKey } from "@/lib/core/signing-key";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { openDatabase } from "@/lib/db/open-database";
import type { BenchOptions } from "./harness/bench-options";
import { fillAudit } from "./harness/fill-audit";

/**
 * Tampers with a copy of an audit a thousand times, in ten ways, and counts how often a verification finds it; then the
 * same with a verification that looks at every event and objects to nothing, and on the copy as it was. Fails when any is
 * missed, or when a control finds anything. `--rounds` is how often, `AUDIT_SEED` repeats a run.
 */
export async function benchTamper({ quick, json, rounds }: BenchOptions): Promise<void> {
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
    const blind = await runTamperings({ ...sample, isBlind: true }, { times: blindTimes, random: seededRandom(seed) });
    const after = await findBroken(sample);
    db.close();
    print(outcomes);
    const found = count(outcomes);
    console.log(
      `Tamperings found: ${found} of ${times}, with ${events} events and the seed ${seed}, in ${seconds.toFixed(1)} s.`,
    );
    console.log(`Control, without the check of the chain: ${count(blind)} of ${blindTimes} found; 0 expected.`);
    console.log(
      `Control, nothing changed: ${before === null && after === null ? "holds" : "DOES NOT HOLD"} before and after.`,
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
