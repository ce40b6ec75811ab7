import type Sqlite from "better-sqlite3";
import type { Query, Sql, SqlValue } from "./sql";
import { storedMoment } from "./sqlite-adapter";

type Options = {
  writes: boolean;
  /** The writing connection, for a reader: it answers reads while no transaction is open on it. */
  idle?: Sqlite.Database;
};

/**
 * Plain SQL on a connection of the adapter, beside Prisma and inside the same transactions. Values are written in the
 * adapter's formats: dates as ISO 8601 with `+00:00`, booleans as 1 and 0.
 *
 * Between transactions the writing connection sees what a reading one sees, and it still has the pages in memory that it
 * wrote; a reading one forgets all it has read with each commit of another.
 */
export function sqliteSql(connection: Sqlite.Database, { writes, idle }: Options): Sql {
  const own = keepPrepared(connection);
  const ofIdle = idle && keepPrepared(idle, { readsOnly: true });

  function prepare(text: string): Prepared {
    if (writes && !connection.inTransaction)
      throw new Error("a statement was sent to the writing connection outside a transaction");
    return own(text);
  }

  const toRead = (text: string) => (ofIdle && !idle.inTransaction ? ofIdle(text) : prepare(text));

  return {
    dialect: "sqlite",
    async get<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const { statement, names } = toRead(text.sqlite);
      const row = statement.get(toStored(values));
      return row === undefined ? undefined : (toRow(names, row, special) as Row);
    },
    async all<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const { statement, names } = toRead(text.sqlite);
      return statement.all(toStored(values)).map((row) => toRow(names, row, special) as Row);
    },
    async run({ text }, ...values) {
      return prepare(text.sqlite).statement.run(toStored(values)).changes;
    },
  };
}

/** Prepares each text once on a connection. */
function keepPrepared(connection: Sqlite.Database, { readsOnly = false } = {}): (text: string) => Prepared {
  const statements = new Map<string, Prepared>();
  return (text) => {
    let prepared = statements.get(text);
    if (prepared === undefined) {
      prepared = prepareOn(connection, text);
      if (readsOnly && !prepared.statement.readonly) throw new Error("attempt to write a readonly database");
      statements.set(text, prepared);
    }
    return prepared;
  };
}

type Prepared = {
  statement: Sqlite.Statement<unknown[], unknown[]>;
  /** Of the columns it answers. */
  names: string[];
};

/** Rows come as lists: as objects the driver would look up the name of every column again for every row. */
function prepareOn(connection: Sqlite.Database, text: string): Prepared {
  const statement = connection.prepare<unknown[], unknown[]>(text);
  if (!statement.reader) return { statement, names: [] };
  return { statement: statement.raw(true), names: statement.columns().map(({ name }) => name) };
}

function toStored(values: SqlValue[]): unknown[] {
  const stored: unknown[] = [];
  for (const value of values) {
    if (value instanceof Date) stored.push(storedMoment(value));
    else stored.push(typeof value === "boolean" ? Number(value) : value);
  }
  return stored;
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
