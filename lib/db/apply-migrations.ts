import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL,
  "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

type Applied = { migration_name: string; checksum: string };

/**
 * Applies the committed SQL migrations in order, each in a transaction with its own record, in the table and with the
 * checksum (SHA-256 of the file) that Prisma's own `migrate deploy` uses. Killed half-way, the next start goes on where
 * this one stopped. Throws when an applied migration was changed since, or is unknown to this release.
 */
export async function applyMigrations(databaseFile: string, folder: string): Promise<string[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((e) => e.isDirectory()).map((e) => e.name);
  const migrations = await Promise.all(
    names.sort().map(async (name) => ({ name, sql: await readFile(join(folder, name, "migration.sql"), "utf8") })),
  );
  const db = new Sqlite(databaseFile);
  try {
    db.pragma("busy_timeout = 5000");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    // Cannot be changed inside a transaction. Left on, rebuilding a table would delete what refers to its rows.
    db.pragma("foreign_keys = OFF");
    db.exec(MIGRATIONS_TABLE);
    const applied = db
      .prepare<[], Applied>('SELECT migration_name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL')
      .all();
    for (const row of applied) {
      const known = migrations.find((migration) => migration.name === row.migration_name);
      if (!known)
        throw new Error(`The database has migration ${row.migration_name}, which this release does not know.`);
      if (checksum(known.sql) !== row.checksum) throw new Error(`Migration ${known.name} was changed after it ran.`);
    }
    const pending = migrations.filter((m) => !applied.some((row) => row.migration_name === m.name));
    for (const migration of pending) applyOne(db, migration);
    return pending.map((migration) => migration.name);
  } finally {
    db.close();
  }
}

function applyOne(db: Sqlite.Database, migration: { name: string; sql: string }): void {
  db.transaction(() => {
    db.exec(migration.sql);
    const broken = db.pragma("foreign_key_check");
    if (Array.isArray(broken) && broken.length > 0) {
      throw new Error(
        `Migration ${migration.name} would leave ${broken.length} rows that refer to nothing; it was not applied.`,
      );
    }
    db.prepare(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (?, ?, ?, ?, ?, 1)`,
    ).run(randomUUID(), checksum(migration.sql), migration.name, Date.now(), Date.now());
  }).immediate();
}

function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
