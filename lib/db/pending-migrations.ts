import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export type Migration = { name: string; sql: string; checksum: string };
export type AppliedMigration = { migration_name: string; checksum: string };

export const APPLIED = 'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL';

/** The committed migrations of a folder in order, each with the SHA-256 of its file. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((e) => e.isDirectory()).map((e) => e.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Those that are not applied yet. Throws when an applied one was changed since, or is unknown to this release. */
export function pendingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.name === row.migration_name);
    if (!known) throw new Error(`The database has migration ${row.migration_name}, which this release does not know.`);
    if (known.checksum !== row.checksum) throw new Error(`Migration ${known.name} was changed after it ran.`);
  }
  return migrations.filter((m) => !applied.some((row) => row.migration_name === m.name));
}
