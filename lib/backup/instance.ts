import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import { verifyFolder } from "@/lib/audit/verify-folder";
import type { Env } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { databaseAddress } from "@/lib/db/database";
import { type DatabaseCopier, type DatabaseFacts, sqliteCopier } from "./sqlite-copier";

/** Session settings that make the text of rows independent of the server's configuration. */
const CANONICAL_SETTINGS = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL DateStyle = 'ISO, YMD'",
  "SET LOCAL extra_float_digits = 1",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL IntervalStyle = 'postgres'",
];

export type Instance = {
  dataDir: string;
  /** Folder of keys, heads and sealed events; the data directory unless several processes share it. */
  keyDir: string;
  database: DatabaseCopier;
  backups: string;
};

type Place = Pick<Env, "DATABASE_URL" | "dataDir" | "keyDir">;

export function instanceOf(env: Place & Pick<Env, "SKILLGATE_BACKUPS">): Instance {
  const { dataDir, keyDir } = env;
  return { dataDir, keyDir, database: copierOf(env), backups: backupsFolderOf(env) };
}

function copierOf(env: Place): DatabaseCopier {
  const address = databaseAddress(env);
  return "file" in address ? sqliteCopier(address.file) : postgresCopier(address.url);
}

/** Folder of backups: `SKILLGATE_BACKUPS`, else the data directory's name with `-backups`. */
export function backupsFolderOf({ SKILLGATE_BACKUPS, dataDir }: Pick<Env, "SKILLGATE_BACKUPS" | "dataDir">): string {
  return SKILLGATE_BACKUPS === undefined
    ? join(dirname(dataDir), `${basename(dataDir)}-backups`)
    : resolve(SKILLGATE_BACKUPS);
}

/** Copies with `pg_dump` in the snapshot of the facts. Only a restore can verify a dump. */
function postgresCopier(url: string): DatabaseCopier {
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
    // PostgreSQL itself checks pages when the cluster has checksums.
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
            "The database that DATABASE_URL names is not empty. Create an empty one and set DATABASE_URL to it.",
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
  // Loaded on demand, so that an instance on SQLite does without it.
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

/**
 * Runs `pg_dump` or `pg_restore`. Passes the password by environment, because all users can read arguments. Throws with
 * the last lines of output.
 */
function runTool(program: "pg_dump" | "pg_restore", args: string[], url: string): Promise<void> {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = "";
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "--dbname", address.href], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        PGCONNECT_TIMEOUT: "10",
        ...(PGPASSWORD && { PGPASSWORD }),
      },
    });
    let complaints = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaints = (complaints + chunk.toString("utf8")).slice(-2_000);
    });
    child.once("error", (cause: Error & { code?: string }) => {
      const isMissing = cause.code === "ENOENT";
      const hint = `${program} is not installed. Install PostgreSQL’s client programs, at least in the server’s version.`;
      reject(isMissing ? new AppError("invalid", hint, { cause }) : cause);
    });
    child.once("close", (code) => {
      if (code === 0) resolve();
      else
        reject(new AppError("unavailable", `${program} failed: ${complaints.trim().split("\n").slice(-3).join(" ")}`));
    });
  });
}

async function readFacts(client: pg.Client): Promise<DatabaseFacts> {
  for (const statement of CANONICAL_SETTINGS) await client.query(statement);
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename COLLATE "C"`,
  );
  const tables: Record<string, number> = {};
  const digest = createHash("sha256");
  for (const { name } of names) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const { rows } = await client.query<{ count: string; sum: string }>(
      `SELECT count(*)::text AS "count",
         coalesce(sum(('x' || substr(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint), 0)::text AS "sum"
       FROM ${quoted} t`,
    );
    const [{ count, sum } = { count: "0", sum: "0" }] = rows;
    tables[name] = Number(count);
    digest.update(`${name} ${count} ${sum}\n`);
  }
  const migrations =
    tables._prisma_migrations === undefined
      ? []
      : (
          await client.query<{ name: string }>(
            `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY 1`,
          )
        ).rows.map(({ name }) => name);
  const head = tables.AuditEvent
    ? await client.query<{ seq: number; hash: string | null }>(
        `SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`,
      )
    : null;
  return { tables, digest: digest.digest("hex"), migrations, head: head?.rows[0] ?? null };
}
