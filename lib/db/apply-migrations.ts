import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { DatabaseAddress } from "./database";
import {
  APPLIED,
  type AppliedMigration,
  type Migration,
  pendingMigrations,
  readMigrations,
} from "./pending-migrations";

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
  "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

/**
 * Applies the committed SQL migrations in order, each in a transaction with its own record, in the table and with the
 * checksum (SHA-256 of the file) that Prisma's own `migrate deploy` uses. Killed half-way, the next start goes on where
 * this one stopped. `root` is the folder that has one folder for each database. Answers the names of those applied.
 * Throws when an applied migration was changed since, or is unknown to this release.
 */
export async function applyMigrations(address: DatabaseAddress, root: string): Promise<string[]> {
  if ("file" in address) return applyToFile(address.file, await readMigrations(join(root, "sqlite")));
  const { applyToPostgres } = await import("./postgres/apply-to-postgres");
  return applyToPostgres(address.url, await readMigrations(join(root, "postgresql")));
}

function applyToFile(file: string, migrations: Migration[]): string[] {
  const db = new Sqlite(file);
  try {
    db.pragma("busy_timeout = 5000");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    // Cannot be changed inside a transaction. Left on, rebuilding a table would delete what refers to its rows.
    db.pragma("foreign_keys = OFF");
    db.exec(MIGRATIONS_TABLE);
    const pending = pendingMigrations(migrations, db.prepare<[], AppliedMigration>(APPLIED).all());
    for (const migration of pending) applyOne(db, migration);
    return pending.map(({ name }) => name);
  } finally {
    db.close();
  }
}

function applyOne(db: Sqlite.Database, { name, sql, checksum }: Migration): void {
  db.transaction(() => {
    db.exec(sql);
    const broken = db.pragma("foreign_key_check");
    if (Array.isArray(broken) && broken.length > 0) {
      throw new Error(`Migration ${name} would leave ${broken.length} rows that refer to nothing; it was not applied.`);
    }
    db.prepare(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (?, ?, ?, ?, ?, 1)`,
    ).run(randomUUID(), checksum, name, Date.now(), Date.now());
  }).immediate();
}
