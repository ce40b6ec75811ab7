import fs from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import Sqlite from "better-sqlite3";
import { getEnv } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import { type Database, type DatabaseAddress, type DatabasePlace, databaseAddress } from "./database";
import { PrismaClient } from "./generated/client";
import type { Sql } from "./sql";
import { beginImmediate, sqliteAdapter, sqliteSql } from "./sqlite-adapter";
import { createWriteQueue, joinTransaction } from "./write-queue";

type Options = { file: string; synchronous: "full" | "off" };

/** Opens a migrated database. */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  if ("file" in address) {
    const { file, keyFolder = dirname(file), workFolder = keyFolder, synchronous = "full" } = address;
    return { dialect: "sqlite", keyFolder, workFolder, ...(await openSqlite({ file, synchronous })) };
  }
  // Loaded on demand: SQLite instances do not need it.
  const { openPostgres } = await import("./postgres/open-postgres");
  const { url, keyFolder, workFolder = keyFolder } = address;
  return { dialect: "postgresql", keyFolder, workFolder, ...(await openPostgres(url)) };
}

/**
 * Opens two connections to one file: WAL, foreign keys on, and up to five seconds of waiting for locks of other
 * processes. Reads need their own connection, since a query outside a transaction on the writing one would see
 * uncommitted data. Transactions take the write lock at once: one that first reads could fail when it writes. `full`
 * answers a write after its log is on the disk.
 */
async function openSqlite(options: Options): Promise<Omit<Database, "dialect" | "keyFolder" | "workFolder">> {
  const raw = connect(options.file, [
    "journal_mode = WAL",
    `synchronous = ${options.synchronous === "off" ? "OFF" : "FULL"}`,
    "foreign_keys = ON",
    // In pages of 4 KiB. Each checkpoint adds two waits for the disk and rewrites changed pages.
    "wal_autocheckpoint = 4000",
  ]);
  const log = options.synchronous === "full" ? await openLogForSync(raw, options.file) : null;
  const [begin, commit] = [raw.prepare("BEGIN IMMEDIATE"), raw.prepare("COMMIT")];
  const exec = (sql: string) => void (sql === "COMMIT" ? commit.run() : raw.exec(sql));
  const connection = { exec, isInTransaction: () => raw.inTransaction };
  const writer = await createClient(raw, (adapter) =>
    writes.isGroupOpen() ? joinTransaction(adapter, connection) : beginImmediate(raw, adapter),
  );
  const writes = createWriteQueue({
    connection,
    client: writer,
    begin: async () => {
      begin.run();
      return { commit: () => Promise.resolve() };
    },
    sync: async () => log?.sync(),
  });
  const reading = connect(options.file, ["query_only = ON"]);
  const revision = reading.prepare<[], number>("PRAGMA data_version").pluck();
  const reader = await createClient(reading, () =>
    Promise.reject(new Error("transactions are not allowed on the reading connection")),
  );
  return {
    reader,
    writer,
    readSql: sqliteSql(reading, { writes: false, idle: raw }),
    writeSql: sqliteSql(raw, { writes: true }),
    writes,
    readRevision: async () => String(revision.get()),
    chain: () => 1,
    settle: async () => {},
    openChannel: null,
    close: async () => {
      await reader.$disconnect();
      await writer.$disconnect();
      await log?.close();
    },
  };
}

/**
 * With `FULL` a commit blocks the process until the log is on the disk; here the queue waits asynchronously instead.
 * Null on a file system without WAL, where each commit blocks.
 */
async function openLogForSync(raw: Sqlite.Database, file: string): Promise<CommitLog | null> {
  // The first read opens the log.
  raw.prepare("SELECT 1 FROM sqlite_schema").get();
  if (raw.pragma("journal_mode", { simple: true }) !== "wal") return null;
  raw.pragma("synchronous = NORMAL");
  return openLog(file);
}

function connect(file: string, pragmas: string[]): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: 5000 });
  for (const pragma of [...pragmas, "cache_size = -16000"]) connection.pragma(pragma);
  return connection;
}

async function createClient(
  connection: Sqlite.Database,
  startTransaction: (adapter: SqlDriverAdapter) => Promise<Transaction>,
): Promise<PrismaClient> {
  const adapter = sqliteAdapter(connection, startTransaction);
  const { provider, adapterName } = adapter;
  const client = new PrismaClient({
    adapter: { provider, adapterName, connect: () => Promise.resolve(adapter) },
    // Imports of thousands of skills take minutes, during which the event loop turns.
    transactionOptions: { maxWait: 10_000, timeout: 600_000 },
  });
  await client.$queryRawUnsafe("SELECT 1");
  return client;
}

/** Write-ahead log of a database, as a file that can be synced. */
type CommitLog = {
  /** Resolves once everything committed before the call is on the disk; rejects when the disk fails. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the log of a SQLite file in WAL mode, which exists while the file is open (https://sqlite.org/wal.html). With
 * `synchronous = NORMAL` SQLite syncs the log before checkpoints only; `sync` adds the sync at commit that `FULL` does,
 * without blocking the event loop.
 */
async function openLog(file: string): Promise<CommitLog> {
  const log = await open(`${file}-wal`, "r+");
  // The directory entry of the log must survive power loss too.
  const folder = await open(dirname(file), "r");
  await folder.sync().finally(() => folder.close());
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      // The callback form costs the event loop less than the handle's promise.
      fs.fdatasync(log.fd, (error) => (error ? reject(error) : resolve()));
    });
  return { sync, close: () => log.close() };
}

/** Connections of this process, opened once, after the start-up hook has applied the migrations. */
export function getDatabase(): Promise<Database> {
  return processStore("database", () => openDatabase(databaseAddress(getEnv())));
}

type Reader = { sql: Sql; close(): Promise<void> };

/** Opens a read-only transaction on a database, also while a server uses it. A SQLite file must exist. */
export async function openReader(place: DatabasePlace): Promise<Reader> {
  if ("url" in place) {
    const { readPostgres } = await import("./postgres/postgres-sql");
    return readPostgres(place.url);
  }
  const db = new Sqlite(place.file, { readonly: true, fileMustExist: true });
  db.exec("BEGIN");
  return {
    sql: sqliteSql(db, { writes: false }),
    close: async () => {
      db.close();
    },
  };
}
