import {
  type ArgType,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import type Sqlite from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { Query, Sql, SqlValue } from "./sql";

/** Limits of Prisma's prepared statements per connection, which use memory by their length. */
const MAX_PREPARED = 500;
const MAX_PREPARED_CHARS = 500_000;

const INFO = { provider: "sqlite", adapterName: "@prisma/adapter-better-sqlite3" } as const;

const TYPES: Record<string, SqlResultSet["columnTypes"][number]> = {
  BLOB: ColumnTypeEnum.Bytes,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  INTEGER: ColumnTypeEnum.Int32,
  REAL: ColumnTypeEnum.Double,
  TEXT: ColumnTypeEnum.Text,
};

/**
 * Prisma adapter on our own connection, so that plain SQL shares connection and transactions. Prisma's adapter
 * (`@prisma/adapter-better-sqlite3`) hides its connection; values are converted as it does. Implements
 * https://www.prisma.io/docs/orm/overview/databases/database-drivers for the column types of our schema.
 */
export function sqliteAdapter(
  connection: Sqlite.Database,
  startTransaction: (adapter: SqlDriverAdapter) => Promise<Transaction>,
): SqlDriverAdapter {
  const statements = new LRUCache<string, PrismaStatement>({
    max: MAX_PREPARED,
    maxSize: MAX_PREPARED_CHARS,
    sizeCalculation: (_statement, sql) => sql.length || 1,
  });

  function prepare(sql: string): PrismaStatement {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare<unknown[], unknown[]>(sql);
    const columns = statement.reader ? statement.raw(true).columns() : [];
    const types = columns.map(({ type }) => TYPES[type ?? ""] ?? null);
    const isDeclared = types.every((type) => type !== null);
    // Only the numbers of columns without a declared type need to tell whole from real ones.
    statement.safeIntegers(!isDeclared);
    const prepared = { statement, columnNames: columns.map(({ name }) => name), types, isDeclared };
    statements.set(sql, prepared);
    return prepared;
  }

  const valuesOf = ({ args, argTypes }: SqlQuery) => args.map((value, index) => toStored(value, argTypes[index]));

  const adapter: SqlDriverAdapter = {
    ...INFO,
    executeRaw: async (query) => {
      const turn = loopTurn(connection.inTransaction);
      if (turn !== null) await turn;
      return convertErrors(() => prepare(query.sql).statement.run(valuesOf(query)).changes);
    },
    queryRaw: async (query) => {
      const turn = loopTurn(connection.inTransaction);
      if (turn !== null) await turn;
      return convertErrors(() => {
        const { statement, columnNames, types, isDeclared } = prepare(query.sql);
        if (!statement.reader) {
          statement.run(valuesOf(query));
          return { columnNames: [], columnTypes: [], rows: [] };
        }
        const rows = statement.all(valuesOf(query));
        const columnTypes = types.map((type, index) => type ?? inferredType(rows, index));
        if (!isDeclared) return { columnNames, columnTypes, rows: rows.map(toRow(columnTypes)) };
        convertNumericTimes(rows, columnTypes);
        return { columnNames, columnTypes, rows };
      });
    },
    executeScript: async (script) => convertErrors(() => void connection.exec(script)),
    startTransaction: () => startTransaction(adapter),
    dispose: async () => void connection.close(),
  };
  return adapter;
}

/** Begins a transaction with the write lock, waiting up to the connection's `busy_timeout`. */
export async function beginImmediate(connection: Sqlite.Database, adapter: SqlDriverAdapter): Promise<Transaction> {
  const rollback = () => void (connection.inTransaction && connection.exec("ROLLBACK"));
  convertErrors(() => connection.exec("BEGIN IMMEDIATE"));
  return {
    ...adapter,
    options: { usePhantomQuery: true },
    commit: async () => {
      try {
        convertErrors(() => connection.exec("COMMIT"));
      } catch (error) {
        rollback();
        throw error;
      }
    },
    rollback: async () => rollback(),
  };
}

type ColumnType = SqlResultSet["columnTypes"][number];
type PrismaStatement = {
  statement: Sqlite.Statement<unknown[], unknown[]>;
  columnNames: string[];
  /** Null for a column without a declared type. */
  types: (ColumnType | null)[];
  isDeclared: boolean;
};

/** Times that another program stored as milliseconds. */
function convertNumericTimes(rows: unknown[][], types: ColumnType[]): void {
  for (const [index, type] of types.entries()) {
    if (type !== ColumnTypeEnum.DateTime) continue;
    for (const row of rows) {
      const value = row[index];
      if (typeof value === "number") row[index] = new Date(value).toISOString();
    }
  }
}

/** For a column without a declared type, such as a count. */
function inferredType(rows: unknown[][], index: number) {
  const value = rows.find((row) => row[index] !== null)?.[index];
  if (typeof value === "string") return ColumnTypeEnum.Text;
  if (typeof value === "bigint") return ColumnTypeEnum.Int64;
  return value === undefined ? ColumnTypeEnum.Int32 : ColumnTypeEnum.UnknownNumber;
}

function toRow(types: SqlResultSet["columnTypes"]): (row: unknown[]) => unknown[] {
  return (row) =>
    row.map((value, index) => {
      if (typeof value !== "number" && typeof value !== "bigint") return value;
      if (types[index] === ColumnTypeEnum.DateTime) return new Date(Number(value)).toISOString();
      if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
      const isWhole = types[index] === ColumnTypeEnum.Int32 || types[index] === ColumnTypeEnum.Int64;
      return isWhole ? Math.trunc(value) : value;
    });
}

function toStored(value: unknown, type: ArgType | undefined): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return storedTime(value);
  if (typeof value !== "string") return value;
  switch (type?.scalarType) {
    case "int":
    case "float":
    case "decimal":
      return Number(value);
    case "bigint":
      return BigInt(value);
    case "datetime":
      return storedTime(new Date(value));
    case "bytes":
      return Buffer.from(value, "base64");
    default:
      return value;
  }
}

/** ISO 8601 with `+00:00`, the stored format of every time. */
function storedTime(at: Date): string {
  return `${at.toISOString().slice(0, -1)}+00:00`;
}

function convertErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
    const original = { originalCode: error.code, originalMessage: error.message };
    throw new DriverAdapterError({ ...original, ...kindOf(error.code, error.message) });
  }
}

function kindOf(code: string, message: string): ConstructorParameters<typeof DriverAdapterError>[0] {
  const columns = message.split("constraint failed: ")[1]?.split(", ");
  const fields = columns?.map((column) => column.split(".").at(-1) ?? column);
  const constraint = fields === undefined ? {} : { constraint: { fields } };
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") {
    return { kind: "UniqueConstraintViolation", ...constraint };
  }
  if (code === "SQLITE_CONSTRAINT_NOTNULL") return { kind: "NullConstraintViolation", ...constraint };
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY" || code === "SQLITE_CONSTRAINT_TRIGGER") {
    return { kind: "ForeignKeyConstraintViolation", constraint: { foreignKey: {} } };
  }
  if (code.startsWith("SQLITE_BUSY")) return { kind: "SocketTimeout" };
  return { kind: "sqlite", extendedCode: 1, message };
}

type Options = {
  writes: boolean;
  /** Writing connection, which a reader uses while no transaction is open on it. */
  idle?: Sqlite.Database;
};

/**
 * Plain SQL on a connection of the adapter, inside the same transactions, with the adapter's value formats: dates as
 * ISO 8601 with `+00:00`, booleans as 1 and 0. Between transactions reads use the writing connection, whose page cache
 * survives commits; the reading connection drops its cache at each commit.
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
      const turn = loopTurn(writes);
      if (turn !== null) await turn;
      const prepared = toRead(text.sqlite);
      const row = prepared.statement.get(toStoredValues(values));
      return row === undefined ? undefined : (readerOf(prepared, special)(row) as Row);
    },
    async all<Row>({ text, special }: Query<Row>, ...values: SqlValue[]) {
      const turn = loopTurn(writes);
      if (turn !== null) await turn;
      const prepared = toRead(text.sqlite);
      return prepared.statement.all(toStoredValues(values)).map(readerOf(prepared, special)) as Row[];
    },
    async run({ text }, ...values) {
      const turn = loopTurn(writes);
      if (turn !== null) await turn;
      return prepare(text.sqlite).statement.run(toStoredValues(values)).changes;
    },
  };
}

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
  names: string[];
  reader?: { special: Special; key: string; read: ReadRow };
};

/** Rows are lists, since the driver would look up column names for every object row. */
function prepareOn(connection: Sqlite.Database, text: string): Prepared {
  const statement = connection.prepare<unknown[], unknown[]>(text);
  if (!statement.reader) return { statement, names: [] };
  return { statement: statement.raw(true), names: statement.columns().map(({ name }) => name) };
}

function toStoredValues(values: SqlValue[]): unknown[] {
  const stored: unknown[] = [];
  for (const value of values) {
    if (value instanceof Date) stored.push(storedTime(value));
    else stored.push(typeof value === "boolean" ? Number(value) : value);
  }
  return stored;
}

type Special = Query<unknown>["special"];
type ReadRow = (values: unknown[]) => unknown;

function readerOf(prepared: Prepared, special: Special): ReadRow {
  const { reader } = prepared;
  if (reader?.special === special) return reader.read;
  const key = String(special);
  const read = reader?.key === key ? reader.read : compileReader(prepared.names, new Map(special));
  prepared.reader = { special, key, read };
  return read;
}

/**
 * Compiles the function that makes objects of rows. V8 gives an object that is filled by computed names a hash table from
 * about a dozen columns on: a row of 60 columns took 6 µs instead of 0.3, and a copy of it 36 instead of 9. Column names reach
 * the code as JSON strings only.
 */
function compileReader(names: readonly string[], special: ReadonlyMap<string, string>): ReadRow {
  const columns = new Map(names.map((name, index) => [name, index]));
  const fields = [...columns].map(([name, index]) => `${JSON.stringify(name)}: ${fieldOf(index, special.get(name))}`);
  return new Function("row", `return { ${fields.join(", ")} };`) as ReadRow;
}

function fieldOf(index: number, kind: string | undefined): string {
  const value = `row[${index}]`;
  if (kind === undefined) return value;
  return `${value} === null ? null : ${kind === "flag" ? `${value} !== 0` : `new Date(${value})`}`;
}
