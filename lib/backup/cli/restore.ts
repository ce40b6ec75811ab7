import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { environmentFor, placeOf } from "@/lib/core/command-place";
import { parseEnv } from "@/lib/core/env";
import { databaseAddress } from "@/lib/db/database";
import { instanceOf } from "../instance";
import { restoreBackup } from "../restore-backup";

const USAGE = "usage: npm run restore -- FOLDER [--data DIR] [--replace]";

/**
 * Makes the data directory from a backup. Exit code 0 when it was restored, 1 when it was not and nothing was touched, 2 when
 * what was asked for makes no sense.
 */
async function main(): Promise<number> {
  const asked = readArguments();
  if (asked === null || (asked.values.help !== true && asked.positionals.length !== 1)) return say(USAGE, 2);
  const { values, positionals } = asked;
  if (values.help) return say(USAGE, 0);
  // As the server does; the environment wins.
  if (existsSync(".env")) process.loadEnvFile();
  const parsed = parseEnv(environmentFor(values.data));
  if ("problems" in parsed) return say(parsed.problems.join("\n"), 2);
  const { dataDir } = parsed.env;
  const { database } = instanceOf(parsed.env);
  const address = databaseAddress(parsed.env);
  if (parsed.env.keyDir !== dataDir)
    return say(
      "SKILLGATE_KEYS names a folder of its own. Unset it, or give --data, and put the keys there yourself.",
      2,
    );
  if ("file" in address && address.file !== join(dataDir, database.file))
    return say(`DATABASE_URL names ${address.file}, not the database of ${dataDir}. Unset it, or give --data.`, 2);
  try {
    const { manifest, movedTo } = await restoreBackup({
      backup: placeOf(positionals[0] ?? ""),
      dataDir,
      replace: values.replace ?? false,
      database,
      migrations: readMigrations(database.provider),
      at: new Date(),
    });
    console.log(
      `Restored ${dataDir} to ${manifest.at}: release ${manifest.product.version}, audit up to event ${manifest.audit.seq}.`,
    );
    if (movedTo !== null) console.log(`What was there is in ${movedTo}.`);
    if (manifest.audit.problem !== null)
      console.log(`Its audit did not hold when the backup was made: ${manifest.audit.problem}`);
    console.log("Start the server: npm start");
    return 0;
  } catch (error) {
    return say(`Nothing was restored, and nothing was touched. ${error instanceof Error ? error.message : error}`, 1);
  }
}

function readMigrations(provider: string): string[] {
  return readdirSync(join(process.cwd(), "prisma", "migrations", provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: "string" },
        replace: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch {
    return null;
  }
}

function say(text: string, code: number): number {
  console.error(text);
  return code;
}

process.exitCode = await main();
