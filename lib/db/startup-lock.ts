import type { DatabaseAddress } from "./database";

/** Must differ from the instance's other advisory locks. */
const START_LOCK = 0x534b4755;

/** Runs `work` while no other process on the database does. */
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
