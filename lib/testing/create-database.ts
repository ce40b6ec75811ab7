import { randomBytes } from "node:crypto";
import pg from "pg";

/** Creates a database on a PostgreSQL server, empty or from a template; `drop` ends its connections too. */
export async function createDatabase(
  server: string,
  { purpose, template }: { purpose: string; template?: string },
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `skillgate_${purpose}_${randomBytes(8).toString("hex")}`;
  await execute(server, `CREATE DATABASE "${name}"${template === undefined ? "" : ` TEMPLATE "${template}"`}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return { url, drop: () => execute(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
