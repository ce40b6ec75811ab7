import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { applyMigrations } from "@/lib/db/apply-migrations";
import type { DatabaseAddress } from "@/lib/db/database";
import { createDatabase } from "./create-database";

const MIGRATIONS = join(import.meta.dirname, "..", "..", "prisma", "migrations");
/** PostgreSQL server for test databases; without it tests use SQLite files. */
const server = process.env.TEST_DATABASE_URL;

/** Creates a migrated database with its keys in `folder`. */
export async function freshDatabase(
  folder: string,
  name = "test.db",
): Promise<{ address: DatabaseAddress; drop(): Promise<void> }> {
  if (server === undefined) {
    const address = { file: join(folder, name), keyFolder: folder, synchronous: "off" as const };
    await applyMigrations(address, MIGRATIONS);
    return { address, drop: async () => {} };
  }
  const { url, drop } = await createDatabase(server, { purpose: "test", template: await ensureTemplate(server) });
  return { address: { url, keyFolder: folder }, drop };
}

/** A template per set of migrations: copying it is much faster than migrating. */
async function ensureTemplate(on: string): Promise<string> {
  const folder = join(MIGRATIONS, "postgresql");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { withFileTypes: true }).filter((e) => e.isDirectory())) {
    hash.update(readFileSync(join(folder, name.name, "migration.sql")));
  }
  const template = `skillgate_template_${hash.digest("hex").slice(0, 16)}`;
  const client = new pg.Client({ connectionString: on });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(1)");
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (rowCount === 0) {
      const draft = `${template}_draft`;
      await client.query(`DROP DATABASE IF EXISTS "${draft}"`);
      await client.query(`CREATE DATABASE "${draft}" TEMPLATE template0 ENCODING 'UTF8'`);
      const url = Object.assign(new URL(on), { pathname: `/${draft}` }).href;
      await applyMigrations({ url, keyFolder: "" }, MIGRATIONS);
      await client.query(`ALTER DATABASE "${draft}" RENAME TO "${template}"`);
    }
    return template;
  } finally {
    await client.end();
  }
}
