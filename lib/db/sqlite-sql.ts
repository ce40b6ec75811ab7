import type Sqlite from "better-sqlite3";
import type { Query, Sql, SqlValue } from "./sql";

/**
 * Plain SQL on a connection of the adapter, beside Prisma and inside the same transactions. Values are written in the
 * adapter's formats: dates as ISO 8601 with `+00:00`, booleans as 1 and 0.
 */
export function sqliteSql(connection: Sqlite.Database, { writes }: { writes: boolean }): Sql {
  const statements = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    if (writes && !connection.inTransaction)
      throw new Error("a statement was sent to the writing connection outside a transaction");
    let prepared = statements.get(text);
    if (prepared === undefined) {
      prepared = prepareOn(connection, text);
      statements.set(text, prepared);
    }
    return prepared;
  }

  return {
    dialect: "sqlite",
    async get<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const { statement, names } = prepare(text.sqlite);
      const row = statement.get(...values.map(toStored));
      return row === undefined ? undefined : (toRow(names, row, special) as Row);
    },
    async all<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const { statement, names } = prepare(text.sqlite);
      return statement.all(...values.map(toStored)).map((row) => toRow(names, row, special) as Row);
    },
    async run({ text }, ...values) {
      return prepare(text.sqlite).statement.run(...values.map(toStored)).changes;
    },
  };
}

type Prepared = {
  statement: Sqlite.Statement<unknown[], unknown[]>;
  /** Of the columns it answers. */
  names: string[];
};

/** Rows come as lists: as objects the driver would look up the name of every column again for every row. */
function prepareOn(connection: Sqlite.Database, text: string): Prepared {
  const statement = connection.prepare<unknown[], unknown[]>(text).safeIntegers(false);
  if (!statement.reader) return { statement, names: [] };
  return { statement: statement.raw(true), names: statement.columns().map(({ name }) => name) };
}

function toStored(value: SqlValue): string | number | null {
  if (value instanceof Date) return value.toISOString().replace("Z", "+00:00");
  return typeof value === "boolean" ? Number(value) : value;
}

function toRow(names: string[], values: unknown[], special: Query<unknown>["special"]): unknown {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
  for (const [column, kind] of special) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    row[column] = kind === "flag" ? value !== 0 : new Date(value as string | number);
  }
  return row;
}
