import pg from "pg";
import type { Sql } from "../sql";
import { types } from "./one-connection";
import { postgresSql } from "./postgres-sql";

export async function readPostgres(url: string): Promise<{ sql: Sql; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url, application_name: "skillgate check", types });
  await client.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  return { sql: postgresSql(client), close: () => client.end() };
}
