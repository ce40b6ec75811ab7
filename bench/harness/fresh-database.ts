import { randomBytes } from "node:crypto";
import { Client } from "pg";

export type FreshDatabase = {
  /** Address of an empty database, for `DATABASE_URL`. */
  url: string;
  drop(): Promise<void>;
};

/** Makes an empty database beside the one of the address, so that a bench never meets what another left. */
export async function createDatabase(address: string): Promise<FreshDatabase> {
  const name = `skillgate_bench_${randomBytes(6).toString("hex")}`;
  await execute(address, `CREATE DATABASE "${name}"`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(address, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) };
}

async function execute(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
