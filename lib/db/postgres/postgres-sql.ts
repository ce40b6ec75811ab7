import pg from "pg";
import type { Query, Sql, SqlValue } from "../sql";
import { types } from "./one-connection";

type Statement = { name: string; text: string };

/** Plain SQL on one connection, inside its open transaction, or on a pool. */
export function postgresSql(
  connection: { query(config: pg.QueryConfig): Promise<pg.QueryResult> },
  isOpen?: () => boolean,
): Sql {
  const statements = new Map<string, Statement>();

  async function send({ text }: Query<unknown>, values: SqlValue[]): Promise<pg.QueryResult> {
    if (isOpen && !isOpen()) throw new Error("a statement was sent to the writing connection outside a transaction");
    let statement = statements.get(text.postgresql);
    if (statement === undefined) {
      statement = { name: `skillgate_${statements.size}`, text: numbered(text.postgresql) };
      statements.set(text.postgresql, statement);
    }
    return connection.query({ ...statement, values: values.map(toStored), types });
  }

  return {
    dialect: "postgresql",
    get: async <Row>(query: Query<Row>, ...values: SqlValue[]) =>
      (await send(query, values)).rows[0] as Row | undefined,
    all: async <Row>(query: Query<Row>, ...values: SqlValue[]) => (await send(query, values)).rows as Row[],
    run: async (query, ...values) => (await send(query, values)).rowCount ?? 0,
  };
}

/** Our statements use `?` for values only. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
}

/** The driver would write times in the local time zone. */
function toStored(value: SqlValue): string | number | boolean | null {
  return value instanceof Date ? value.toISOString() : value;
}

export async function readPostgres(url: string): Promise<{ sql: Sql; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url, application_name: "skillgate check", types });
  await client.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  return { sql: postgresSql(client), close: () => client.end() };
}
