import type pg from "pg";

/** Built after a move, or of a running process: what they say follows from the other tables. `fit-indexes.ts` checks and rebuilds the former. */
const DERIVED = new Set([
  "_prisma_migrations",
  "CatalogSearch",
  "CatalogRevision",
  "OfferRevision",
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

/** The tables whose rows are moved. Throws for a type that nothing here knows. */
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
