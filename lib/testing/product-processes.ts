import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect } from "vitest";
import type { Act, Acted } from "./act-in-process";

/** The lock that every transaction of the product shares, from `lib/db/postgres/open-postgres.ts`. */
const WRITE_LOCK = 0x534b4754;
const WAITING = `SELECT count(*)::int AS "count" FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND classid = 0 AND objid = ${WRITE_LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Starts processes of the product on one PostgreSQL database; they end after the test file. */
export async function startProcesses(address: { url: string; keyFolder: string }, count: number) {
  const children = await Promise.all(
    Array.from({ length: count }, async () => {
      const child = fork(join(import.meta.dirname, "act-in-process.ts"), [JSON.stringify(address)], {
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      await once(child, "message");
      return child;
    }),
  );
  const barrier = new pg.Client({ connectionString: address.url });
  await barrier.connect();
  afterAll(async () => {
    for (const child of children) child.kill();
    await barrier.end();
  });

  /**
   * Each process performs one act. All have begun their transactions, and so see the same rows, before one of them goes
   * on. Returns the outcomes in the order of the acts.
   */
  async function actAtOnce(acts: readonly Act[]): Promise<Acted[]> {
    if (acts.length !== children.length) throw new Error(`${children.length} processes need as many acts`);
    await barrier.query(`SELECT pg_advisory_lock(${WRITE_LOCK})`);
    const answers = acts.map((act, index) => perform(children[index] as ChildProcess, act));
    await expect
      .poll(async () => (await barrier.query<{ count: number }>(WAITING)).rows[0]?.count, { timeout: 15_000 })
      .toBe(acts.length);
    await barrier.query(`SELECT pg_advisory_unlock(${WRITE_LOCK})`);
    return Promise.all(answers);
  }

  return { actAtOnce };
}

async function perform(child: ChildProcess, act: Act): Promise<Acted> {
  child.send(act);
  const [acted] = (await once(child, "message")) as [Acted];
  return acted;
}
