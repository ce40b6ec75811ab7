import { randomUUID } from "node:crypto";
import pg from "pg";
import { APPLIED, type AppliedMigration, type Migration, pendingMigrations } from "../pending-migrations";

const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;
const RECORD = `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, now(), 1)`;
/** Lock number of Prisma's own `migrate`. */
const MIGRATE_LOCK = 72707369;

/** Applies pending migrations. Instances that start together wait for the first one. */
export async function applyToPostgres(url: string, migrations: Migration[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "skillgate migrations" });
  await client.connect();
  try {
    await requireUtf8(client);
    await client.query(`SELECT pg_advisory_lock(${MIGRATE_LOCK})`);
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<AppliedMigration>(APPLIED);
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) await applyOne(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function applyOne(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(RECORD, [randomUUID(), checksum, name]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS "encoding"`);
  const encoding = rows[0]?.encoding;
  if (encoding !== "UTF8") throw new Error(`The database's encoding is ${encoding}; Skillgate needs UTF8.`);
}
