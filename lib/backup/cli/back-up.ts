import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { environmentFor, placeOf } from "@/lib/core/command-place";
import { parseEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { mebibytes } from "@/lib/core/free-space";
import { databaseAddress } from "@/lib/db/database";
import { instanceOf } from "../instance";
import { writeBackup } from "../write-backup";

const USAGE = "usage: npm run backup [-- --to FOLDER] [--data DIR]";

/**
 * Makes a backup of the instance that the environment names, beside a running server or not. Exit code 0 when it was made
 * and everything in it holds, 1 when it could not be made or its audit does not hold, 2 when there is nothing to back up.
 */
async function main(): Promise<number> {
  const values = readArguments();
  if (values === null) return say(USAGE, 2);
  if (values.help) return say(USAGE, 0);
  // As the server does; the environment wins.
  if (existsSync(".env")) process.loadEnvFile();
  const parsed = parseEnv(environmentFor(values.data));
  if ("problems" in parsed) return say(parsed.problems.join("\n"), 2);
  const instance = instanceOf(parsed.env);
  const address = databaseAddress(parsed.env);
  if ("file" in address && !existsSync(address.file)) return say(`There is no database ${address.file}.`, 2);
  const clock = performance.now();
  try {
    const to = values.to === undefined ? instance.backups : placeOf(values.to);
    const { path, manifest } = await writeBackup(instance, { to, at: new Date() });
    const { files, audit, database } = manifest;
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    const rows = Object.values(database.tables).reduce((sum, count) => sum + count, 0);
    const seconds = ((performance.now() - clock) / 1000).toFixed(1);
    console.log(`Backup: ${path}`);
    console.log(`  ${files.length} files, ${mebibytes(bytes)}, ${rows} rows, read back and checked, in ${seconds} s.`);
    console.log(`  Audit up to event ${audit.seq}: ${audit.problem === null ? "holds" : "DOES NOT HOLD"}.`);
    console.log("  It holds the keys of the instance: keep it as safe as the data directory.");
    if (audit.problem === null) return 0;
    return say(`The audit does not hold, here as in the instance: ${audit.problem}`, 1);
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Error)) throw error;
    return say(`No backup was made. ${error.message}`, 1);
  }
}

function readArguments() {
  try {
    const options = {
      to: { type: "string" },
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
