import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeLastHead } from "@/lib/audit/chain/heads";
import { recordEvent } from "@/lib/audit/record-event";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { CommandEnd, commandEnv, messageOf, runCommand } from "@/lib/core/command-line";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx, inTransaction } from "@/lib/db/context";
import { existingDatabase } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { buildIndexes } from "../build-indexes";
import { type MovedTable, moveToPostgres } from "../move-to-postgres";

const USAGE = `usage: npm run migrate-to-postgres -- --to postgresql://USER:PASSWORD@HOST/DATABASE

Moves the instance of SKILLGATE_DATA into an empty PostgreSQL database. Stop the server first. The keys stay where they are;
the SQLite file is renamed and kept.`;

const STILL_THERE =
  "The SQLite file was not changed: start the server as before. Empty the PostgreSQL database before you try again.";

/** Exit code 0 when all rows were moved and compared, 1 when not, 2 for wrong arguments. */
await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { to: { type: "string" } } });
  if (values.to === undefined || !/^postgres(ql)?:\/\//.test(values.to)) throw new CommandEnd(USAGE, 2);
  const env = commandEnv(undefined, { dotEnv: true });
  const from = existingDatabase(env);
  if (!("file" in from))
    throw new CommandEnd("DATABASE_URL names a PostgreSQL database already; there is nothing to move.", 2);
  try {
    const lock = lockDataDirectory(env.dataDir);
    try {
      return await move(from.file, values.to, env.keyDir);
    } finally {
      lock.close();
    }
  } catch (error) {
    if (error instanceof CommandEnd) throw error;
    throw new CommandEnd(`Nothing was moved. ${messageOf(error)}`, 1);
  }
});

async function move(file: string, url: string, keyFolder: string): Promise<number> {
  const migrations = join(process.cwd(), "prisma", "migrations");
  await applyMigrations({ file }, migrations);
  await applyMigrations({ url, keyFolder }, migrations);
  const moved = await moveToPostgres(file, url);
  report(moved);
  const different = await buildIndexes({ file, keyFolder }, { url, keyFolder }, new Date());
  if (different.length > 0) throw new CommandEnd([...different.slice(0, 20), STILL_THERE].join("\n"), 1);
  console.log("Lists, searches and offers of the new database equal those of the file.");
  const database = await openDatabase({ url, keyFolder });
  try {
    const ctx = createCtx({ actor: { kind: "system", name: "Skillgate" }, database });
    await inTransaction(ctx, (tx, txCtx) =>
      recordEvent(tx, txCtx, {
        action: "instance.move",
        summary: "moved the instance to PostgreSQL",
        target: { kind: "instance", id: "database", name: "PostgreSQL" },
        data: { tables: moved.length, rows: rowsOf(moved) },
      }),
    );
    // The last head tells which of the two databases continues.
    await writeLastHead(database, new Date());
  } finally {
    await database.close();
  }
  const { checked, firstBroken } = await verifyFolder(keyFolder, { url });
  if (firstBroken) throw new CommandEnd(`The audit log in the new database is invalid: ${firstBroken.message}`, 1);
  console.log(`The audit log is valid: ${checked} events.`);
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${file}.moved${suffix}`);
  }
  console.log(`The SQLite file is now ${file}.moved. Start the server with DATABASE_URL set to the new address.`);
  return 0;
}

function report(moved: MovedTable[]): void {
  console.table(moved.filter(({ count }) => count > 0).map((row) => ({ ...row, sha256: row.sha256.slice(0, 16) })));
  console.log(`Moved ${rowsOf(moved)} rows of ${moved.length} tables; counts and digests are equal on both sides.`);
}

function rowsOf(moved: MovedTable[]): number {
  return moved.reduce((sum, { count }) => sum + count, 0);
}
