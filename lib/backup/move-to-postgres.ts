import { createHash } from "node:crypto";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { rebuildOfferRevision } from "@/lib/db/offer-revision";
import { types } from "@/lib/db/postgres/one-connection";
import { postgresSql } from "@/lib/db/postgres/postgres-sql";
import { rebuildCatalogIndex } from "@/lib/db/rebuild-catalog-index";

/** PostgreSQL allows 65,535 values per statement. */
const MAX_VALUES = 20_000;
const MAX_ROWS = 500;

export type MovedTable = { table: string; count: number; sha256: string };

/**
 * Copies all rows of a migrated SQLite file into an empty, migrated PostgreSQL database in one transaction, and
 * compares count and digest of each table. Builds the catalog index in the same transaction, because its triggers
 * cannot find sources during the copy; `buildIndexes` builds the audit index. Throws with the table that differs.
 */
export async function moveToPostgres(file: string, url: string): Promise<MovedTable[]> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true });
  const client = new pg.Client({ connectionString: url, application_name: "skillgate move", types });
  await client.connect();
  try {
    await client.query("BEGIN");
    const checkReferences = await deferReferences(client);
    // The migrations add the row of a chain without events.
    await client.query(`DELETE FROM "AuditChain" WHERE "place" = 0`);
    const moved: MovedTable[] = [];
    for (const table of await listTables(client)) {
      await requireEmpty(client, table);
      await copy(source, client, table);
      const before = readSource(source, table);
      const after = await readTarget(client, table);
      if (before.count !== after.count || before.sha256 !== after.sha256)
        throw new Error(`The copy of ${table.name} differs: ${before.count} rows before, ${after.count} after.`);
      moved.push({ table: table.name, ...after });
    }
    await checkReferences();
    await client.query(`SELECT setval('"AuditEvent_seq_seq"', "seq") FROM "AuditChain" WHERE "seq" > 0`);
    const sql = postgresSql(client);
    // Above the revisions of the file, so that clients with a cached revision never take a new answer for an older one.
    await rebuildCatalogIndex(sql, { atLeast: revisionOf(source, "CatalogRevision") });
    await rebuildOfferRevision(sql, { atLeast: revisionOf(source, "OfferRevision") });
    await client.query("COMMIT");
    return moved;
  } finally {
    source.close();
    await client.end();
  }
}

function revisionOf(source: Sqlite.Database, table: "CatalogRevision" | "OfferRevision"): number {
  return source.prepare<[], { value: number }>(`SELECT "value" FROM "${table}"`).get()?.value ?? 0;
}

async function requireEmpty(client: pg.Client, { name }: Table): Promise<void> {
  const { rowCount } = await client.query(`SELECT 1 FROM "${name}" LIMIT 1`);
  if (rowCount !== 0) {
    throw new Error(`The PostgreSQL database is not empty: ${name} has rows. Create an empty database.`);
  }
}

async function copy(source: Sqlite.Database, client: pg.Client, table: Table): Promise<void> {
  const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / table.columns.length)));
  let waiting: unknown[] = [];
  const flush = async () => {
    const count = waiting.length / table.columns.length;
    if (count === 0) return;
    const rows = Array.from({ length: count }, (_, row) => {
      const places = table.columns.map((_, column) => `$${row * table.columns.length + column + 1}`);
      return `(${places.join(", ")})`;
    });
    await client.query(`INSERT INTO "${table.name}" (${names}) VALUES ${rows.join(", ")}`, waiting);
    waiting = [];
  };
  for (const row of rowsOf(source, table)) {
    for (const column of table.columns) {
      const value = plainValue(table, column, row[column.name]);
      waiting.push(value instanceof Date ? value.toISOString() : value);
    }
    if (waiting.length >= size * table.columns.length) await flush();
  }
  await flush();
}

function rowsOf(source: Sqlite.Database, table: Table): IterableIterator<Record<string, unknown>> {
  const names = table.columns.map(({ name }) => `"${name}"`).join(", ");
  const text = `SELECT ${names} FROM "${table.name}" ORDER BY ${keyOf(table)}`;
  return source.prepare<[], Record<string, unknown>>(text).iterate();
}

function readSource(source: Sqlite.Database, table: Table) {
  const digest = rowsDigest(table);
  for (const row of rowsOf(source, table)) digest.add(row);
  return digest.end();
}

async function readTarget(client: pg.Client, table: Table) {
  const digest = rowsDigest(table);
  await client.query(`DECLARE moved CURSOR FOR SELECT * FROM "${table.name}" ORDER BY ${keyOf(table)}`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`FETCH ${MAX_ROWS} FROM moved`);
    for (const row of rows) digest.add(row);
    if (rows.length < MAX_ROWS) break;
  }
  await client.query("CLOSE moved");
  return digest.end();
}

function keyOf({ name, key }: Table): string {
  if (key.length === 0) throw new Error(`Table ${name} has no primary key; its rows cannot be compared.`);
  return key.map((column) => `"${column}"`).join(", ");
}

/**
 * Defers foreign keys: skills and their versions refer to each other, so neither can be copied first. The returned
 * function checks them, throws for a dangling reference, and makes them immediate again.
 */
async function deferReferences(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS "name" FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const alter = async (how: string) => {
    for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} ALTER CONSTRAINT ${name} ${how}`);
  };
  await alter("DEFERRABLE INITIALLY DEFERRED");
  return async () => {
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    await alter("NOT DEFERRABLE");
  };
}

type PlainValue = string | number | boolean | Date | Buffer | null;

/**
 * Converts a value of either database to a common form. A zero byte in a text, which PostgreSQL cannot store, becomes
 * U+FFFD. Throws for a value that does not fit its column.
 */
function plainValue(table: Table, { name, kind }: Column, stored: unknown): PlainValue {
  if (stored === null || stored === undefined) return null;
  if (kind === "flag" && (typeof stored === "boolean" || stored === 0 || stored === 1)) return Boolean(stored);
  if (kind === "number" && (typeof stored === "number" || typeof stored === "bigint")) return Number(stored);
  if (kind === "bytes" && Buffer.isBuffer(stored)) return stored;
  if (kind === "text" && typeof stored === "string") return stored.replaceAll("\0", "\ufffd");
  if (kind === "moment") {
    const moment = stored instanceof Date ? stored : new Date(stored as string | number);
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  throw new Error(`${table.name}.${name} holds ${JSON.stringify(stored)?.slice(0, 60)}, which is no ${kind}.`);
}

function rowsDigest(table: Table) {
  const hash = createHash("sha256");
  let count = 0;
  return {
    add(row: Record<string, unknown>) {
      count += 1;
      const values = table.columns.map((column) => comparable(plainValue(table, column, row[column.name])));
      hash.update(`${JSON.stringify(values)}\n`);
    },
    end: () => ({ count, sha256: hash.digest("hex") }),
  };
}

function comparable(value: PlainValue): unknown {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? { sha256: createHash("sha256").update(value).digest("hex") } : value;
}

/** Derived tables, which `check-indexes.ts` rebuilds, and tables of a running process. */
const DERIVED = new Set([
  "_prisma_migrations",
  "CatalogSearch",
  "CatalogRevision",
  "OfferRevision",
  "ApprovalRevision",
  "AuditTerm",
  "AuditPosting",
  "AuditHour",
  "AuditIndexed",
  "AuditSearch",
  "Process",
  "LeaderLease",
]);

export type Column = { name: string; kind: "text" | "number" | "flag" | "moment" | "bytes" };
export type Table = { name: string; columns: Column[]; key: string[] };

const KINDS: Record<string, Column["kind"]> = {
  text: "text",
  integer: "number",
  bigint: "number",
  "double precision": "number",
  boolean: "flag",
  "timestamp without time zone": "moment",
  bytea: "bytes",
};

/** Tables to copy. Throws for an unknown column type. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const columns = await client.query<{ table: string; name: string; type: string }>(
    `SELECT c.table_name AS "table", c.column_name AS "name", c.data_type AS "type" FROM information_schema.columns c
     JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`,
  );
  const keys = await client.query<{ table: string; name: string }>(
    `SELECT c.relname AS "table", a.attname AS "name" FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN unnest(i.indkey) WITH ORDINALITY AS k("number", "place") ON true
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k."number"
     WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname, k."place"`,
  );
  const tables = new Map<string, Table>();
  for (const { table, name, type } of columns.rows) {
    if (DERIVED.has(table)) continue;
    const kind = KINDS[type];
    if (kind === undefined) throw new Error(`Column ${table}.${name} is of type ${type}, which cannot be moved.`);
    const known = tables.get(table) ?? { name: table, columns: [], key: [] };
    known.columns.push({ name, kind });
    tables.set(table, known);
  }
  for (const { table, name } of keys.rows) tables.get(table)?.key.push(name);
  return [...tables.values()];
}
