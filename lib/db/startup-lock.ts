import type { DatabaseAddress } from "./database";

/** Any number but those of the other locks that are taken in the database. */
const START_LOCK = 0x534b4755;

/** Does what must not happen twice at the same moment, among all processes on a database. */
export async function withStartupLock<T>(address: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  if ("file" in address) return work();
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: address.url, application_name: "skillgate start" });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${START_LOCK})`);
    return await work();
  } finally {
    await client.end();
  }
}
