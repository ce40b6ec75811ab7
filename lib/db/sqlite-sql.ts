import type Sqlite from "better-sqlite3";
import type { Query, Sql, SqlValue } from "./sql";

/**
 * Plain SQL on a connection of the adapter, beside Prisma and inside the same transactions. Values are written in the
 * adapter's formats: dates as ISO 8601 with `+00:00`, booleans as 1 and 0.
 */
export function sqliteSql(connection: Sqlite.Database, { writes }: { writes: boolean }): Sql {
  const statements = new Map<string, Sqlite.Statement<unknown[], Record<string, unknown>>>();

  function prepare(text: string) {
    if (writes && !connection.inTransaction)
      throw new Error("a statement was sent to the writing connection outside a transaction");
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = connection.prepare<unknown[], Record<string, unknown>>(text).safeIntegers(false);
      statements.set(text, statement);
    }
    return statement;
  }

  return {
    dialect: "sqlite",
    async get<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const row = prepare(text.sqlite).get(...values.map(toStored));
      return row === undefined ? undefined : (fromStored(row, special) as Row);
    },
    async all<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const rows = prepare(text.sqlite).all(...values.map(toStored));
      return rows.map((row) => fromStored(row, special) as Row);
    },
    async run({ text }, ...values) {
      return prepare(text.sqlite).run(...values.map(toStored)).changes;
    },
  };
}

function toStored(value: SqlValue): string | number | null {
  if (value instanceof Date) return value.toISOString().replace("Z", "+00:00");
  return typeof value === "boolean" ? Number(value) : value;
}

function fromStored(row: Record<string, unknown>, special: Query<unknown>["special"]): unknown {
  for (const [column, kind] of special) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    row[column] = kind === "flag" ? value !== 0 : new Date(value as string | number);
  }
  return row;
}
