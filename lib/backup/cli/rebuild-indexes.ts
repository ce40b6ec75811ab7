import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { environmentFor } from "@/lib/core/command-place";
import { type Env, parseEnv } from "@/lib/core/env";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { databaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { checkIndexes, INDEXES, rebuildIndexes } from "../indexes/fit-indexes";

const USAGE = `usage: npm run rebuild-indexes -- [--check] [--data DIR]

Builds the indexes of the catalog, of the audit and of agents' offers anew from what they are derived from. Stop the server
first. With --check, compares every entry and event and writes nothing, also beside a running server. Both can take minutes.`;

/** Exit code 0 when every index fits, or fits now; 1 when one does not; 2 when what was asked for makes no sense. */
async function main(): Promise<number> {
  const values = readArguments();
  if (values === null) return say(USAGE, 2);
  if (values.help) return say(USAGE, 0);
  // As the server does; the environment wins.
  if (existsSync(".env")) process.loadEnvFile();
  const parsed = parseEnv(environmentFor(values.data));
  if ("problems" in parsed) return say(parsed.problems.join("\n"), 2);
  const { env } = parsed;
  const address = databaseAddress(env);
  if ("file" in address && !existsSync(address.file)) return say(`There is no database ${address.file}.`, 2);
  try {
    if (values.check) return await work(env, false);
    const lock = lockDataDirectory(env.dataDir);
    try {
      await applyMigrations(address, join(process.cwd(), "prisma", "migrations"));
      return await work(env, true);
    } finally {
      lock.close();
    }
  } catch (error) {
    return say(`The indexes were not ${values.check ? "checked" : "rebuilt"}. ${messageOf(error)}`, 1);
  }
}

async function work(env: Env, rebuilds: boolean): Promise<number> {
  const database = await openDatabase(databaseAddress(env));
  try {
    const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database });
    if (rebuilds) {
      const known = new Map((await checkIndexes(ctx)).map(({ index, problem }) => [index, problem]));
      const reasons = INDEXES.map((index) => ({ index, problem: known.get(index) ?? null }));
      await rebuildIndexes(ctx, reasons, { wait: true });
      console.log(`Rebuilt: ${INDEXES.join(", ")}.`);
    }
    const misfits = await checkIndexes(ctx, { every: true });
    if (misfits.length === 0) {
      console.log("Every index fits what it is derived from.");
      return 0;
    }
    const advice = rebuilds ? "Run npm run audit:verify, and restore a backup." : "Run npm run rebuild-indexes.";
    return say([...misfits.map(({ index, problem }) => `${index}: ${problem}.`), advice].join("\n"), 1);
  } finally {
    await database.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function readArguments() {
  try {
    const options = {
      check: { type: "boolean" },
      data: { type: "string" },
      help: { type: "boolean", short: "h" },
    } as const;
    return parseArgs({ options }).values;
  } catch {
    return null;
  }
}

function say(text: string, code: number): number {
  console.error(text);
  return code;
}

process.exitCode = await main();
