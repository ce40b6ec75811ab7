import { createHash } from "node:crypto";
import type pg from "pg";
import type { DatabaseFacts } from "../database-copier";

/** Rows have one spelling, whatever the server is set to. */
const SPELLING = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL DateStyle = 'ISO, YMD'",
  "SET LOCAL extra_float_digits = 1",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL IntervalStyle = 'postgres'",
];

/** What a database holds, inside the transaction that is open on the connection. Its rows are added up by the server. */
export async function readFacts(client: pg.Client): Promise<DatabaseFacts> {
  for (const statement of SPELLING) await client.query(statement);
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename COLLATE "C"`,
  );
  const tables: Record<string, number> = {};
  const digest = createHash("sha256");
  for (const { name } of names) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { rows } = await client.query<{ count: string; sum: string }>(
      `SELECT count(*)::text AS "count",
         coalesce(sum(('x' || substr(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint), 0)::text AS "sum"
       FROM ${quoted} t`,
    );
    const [{ count, sum } = { count: "0", sum: "0" }] = rows;
    tables[name] = Number(count);
    digest.update(`${name} ${count} ${sum}\n`);
  }
  const migrations =
    tables._prisma_migrations === undefined
      ? []
      : (
          await client.query<{ name: string }>(
            `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY 1`,
          )
        ).rows.map(({ name }) => name);
  const head = tables.AuditEvent
    ? await client.query<{ seq: number; hash: string | null }>(
        `SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`,
      )
    : null;
  return { tables, digest: digest.digest("hex"), migrations, head: head?.rows[0] ?? null };
}
