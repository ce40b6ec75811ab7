import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { seededRandom } from "@/lib/audit/testing/tamper-audit";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { type BenchOptions, seedOf } from "./harness/bench-options";
import { root } from "./harness/product-processes";

const MIGRATIONS = join(root, "prisma", "migrations");
type Mode = "as delivered" | "careless";
type Outcome = { wasKilled: boolean; problem: string | null };

/**
 * Kills a process that migrates an empty file, at a random moment, and lets the next start continue; the tables, the applied
 * migrations and the pages must then equal those of an uninterrupted migration. The control applies migrations without
 * transactions: some must be broken.
 */
export async function benchMigrations({ quick, json, rounds, seed: given }: BenchOptions): Promise<void> {
  const times = rounds ?? (quick ? 10 : 50);
  const seed = seedOf(given);
  const folder = mkdtempSync(join(tmpdir(), "skillgate-migrations-"));
  try {
    const whole = join(folder, "whole.db");
    await applyMigrations({ file: whole }, MIGRATIONS);
    const wanted = contentsOf(whole);
    const lasts = await measure(folder);
    const run = async (how: Mode, count: number) => {
      const random = seededRandom(seed);
      const outcomes: Outcome[] = [];
      for (let turn = 0; turn < count; turn++) {
        const file = join(folder, `${how[0]}-${turn}.db`);
        outcomes.push(await killAndMigrate(file, { how, afterMs: random() * lasts[how], wanted }));
      }
      return outcomes;
    };
    const done = await run("as delivered", times);
    const careless = await run("careless", Math.min(times, 20));
    const clean = done.filter(({ problem }) => problem === null).length;
    const killed = done.filter(({ wasKilled }) => wasKilled).length;
    const broken = careless.filter(({ problem }) => problem !== null).length;
    console.log(
      `Starts that were clean after a kill while migrating: ${clean} of ${times}, ${killed} of them killed in the middle; seed ${seed}.`,
    );
    console.log(`Control, without transactions: ${broken} of ${careless.length} broken; at least one expected.`);
    for (const { problem } of done) if (problem !== null) console.log(`BROKEN: ${problem}`);
    if (json) console.log(JSON.stringify({ bench: "migrations", seed, times, clean, killed, broken }));
    if (clean < times || killed === 0 || broken === 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string): Promise<Record<Mode, number>> {
  const lasts = { "as delivered": 0, careless: 0 };
  for (const how of ["as delivered", "careless"] as const) {
    const child = migrate(join(folder, `measure-${how[0]}.db`), how);
    await waitForMessage(child, "begin");
    const startedAt = performance.now();
    await waitForMessage(child, "done");
    lasts[how] = performance.now() - startedAt;
  }
  return lasts;
}

async function killAndMigrate(
  file: string,
  { how, afterMs, wanted }: { how: Mode; afterMs: number; wanted: string },
): Promise<Outcome> {
  const child = migrate(file, how);
  const ended = new Promise<boolean>((resolve) => child.once("exit", (_code, signal) => resolve(signal === "SIGKILL")));
  await waitForMessage(child, "begin");
  await delay(afterMs);
  child.kill("SIGKILL");
  const wasKilled = await ended;
  try {
    await applyMigrations({ file }, MIGRATIONS);
    return {
      wasKilled,
      problem: contentsOf(file) === wanted ? null : "its tables differ from those of a complete migration",
    };
  } catch (error) {
    return { wasKilled, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  }
}

function migrate(file: string, how: Mode): ChildProcess {
  const program = join(import.meta.dirname, "harness", "migrate-until-killed.ts");
  return fork(program, [file, MIGRATIONS, how], {
    cwd: root,
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

function waitForMessage(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("The process ended before it was killed."));
    const onMessage = (message: unknown) => {
      if (message !== word) return;
      child.removeListener("exit", onExit);
      child.removeListener("message", onMessage);
      resolve();
    };
    child.once("exit", onExit);
    child.on("message", onMessage);
  });
}

function contentsOf(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  try {
    const made = db.prepare(`SELECT "type", "name", "sql" FROM sqlite_master ORDER BY "type", "name"`).all();
    const applied = db.prepare(`SELECT "migration_name" FROM "_prisma_migrations" ORDER BY "migration_name"`).all();
    return JSON.stringify([made, applied, db.pragma("integrity_check"), db.pragma("foreign_key_check")]);
  } finally {
    db.close();
  }
}
