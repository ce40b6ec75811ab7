import { rm } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import { verifyFolder } from "@/lib/audit/verify/verify-folder";
import { AppError } from "@/lib/core/errors";
import type { DatabaseCopier } from "../database-copier";
import { readFacts } from "./read-facts";
import { runTool } from "./run-tool";

/**
 * By `pg_dump`, of the very snapshot that the facts are read in. A dump cannot be looked into as a file can: what it holds is
 * checked when it is placed, which takes an empty database.
 */
export function postgresCopier(url: string): DatabaseCopier {
  return {
    provider: "postgresql",
    file: "database.dump",
    size: () =>
      connected(url, async (client) => {
        const { rows } = await client.query<{ bytes: string }>(
          "SELECT pg_database_size(current_database())::text AS bytes",
        );
        return Number(rows[0]?.bytes ?? 0);
      }),
    // The server checks its pages as it reads them, when the cluster was made with checksums.
    checkInUse: async () => [],
    copy: (to) =>
      inSnapshot(url, async (client, snapshot) => {
        const facts = await readFacts(client);
        await runTool(
          "pg_dump",
          ["--format=custom", "--no-owner", "--no-acl", `--snapshot=${snapshot}`, `--file=${to}`],
          url,
        );
        return { ...facts, problems: [] };
      }),
    assertFree: () =>
      connected(url, async (client) => {
        const sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LIMIT 1";
        if ((await client.query(sql)).rowCount !== 0)
          throw new AppError(
            "conflict",
            "The database that DATABASE_URL names is not empty. Make an empty one, and name that.",
          );
      }),
    place: async (copy) => {
      await runTool("pg_restore", ["--exit-on-error", "--single-transaction", "--no-owner", "--no-acl", copy], url);
      await rm(copy);
      return inSnapshot(url, async (client) => ({ ...(await readFacts(client)), problems: [] }));
    },
    checkAudit: async (folder, { head }) =>
      head === null ? null : ((await verifyFolder(folder, { url }, () => nextTurn())).firstBroken?.message ?? null),
  };
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // Loaded where it is needed: an instance on SQLite carries nothing of it.
  const { default: postgres } = await import("pg");
  const client = new postgres.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function inSnapshot<T>(url: string, work: (client: pg.Client, snapshot: string) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query<{ id: string }>("SELECT pg_export_snapshot() AS id");
    return work(client, rows[0]?.id ?? "");
  });
}
