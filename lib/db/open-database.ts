import fs from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import Sqlite from "better-sqlite3";
import { getEnv } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import type { Database, DatabaseAddress } from "./database";
import { databaseAddress } from "./database";
import { PrismaClient } from "./generated/client";
import { beginImmediate, sqliteAdapter, sqliteSql } from "./sqlite-adapter";
import { createWriteQueue, joinTransaction } from "./write-queue";

type Options = { file: string; synchronous: "full" | "off" };

/** Opens a migrated database. */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  if ("file" in address) {
    const { file, keyFolder = dirname(file), workFolder = keyFolder, synchronous = "full" } = address;
    return { dialect: "sqlite", keyFolder, workFolder, ...(await openSqlite({ file, synchronous })) };
  }
  // Loaded where it is needed: an instance on SQLite carries nothing of it.
  const { openPostgres } = await import("./postgres/open-postgres");
  const { url, keyFolder, workFolder = keyFolder } = address;
  return { dialect: "postgresql", keyFolder, workFolder, ...(await openPostgres(url)) };
}

/**
 * Two connections to one file: WAL, foreign keys on, and a wait of at most five seconds for another process's lock. A query
 * that is sent outside a transaction on the writing one would see, and join, uncommitted work; that is why reads have a
 * connection of their own. Transactions take the write lock as they begin: one that reads first and writes later would fail
 * when another process wrote in between. `full`: nobody is answered before the log of their write is on the disk.
 */
async function openSqlite(options: Options): Promise<Omit<Database, "dialect" | "keyFolder" | "workFolder">> {
  const raw = connect(options.file, [
    "journal_mode = WAL",
    `synchronous = ${options.synchronous === "off" ? "OFF" : "FULL"}`,
    "foreign_keys = ON",
    // In pages of 4 KiB. A checkpoint waits for the disk twice more and writes each changed page again.
    "wal_autocheckpoint = 4000",
  ]);
  const log = options.synchronous === "full" ? await waitForLogBeside(raw, options.file) : null;
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
    keep: async () => log?.keep(),
  });
  const reading = connect(options.file, ["query_only = ON"]);
  const reader = await createClient(reading, () =>
    Promise.reject(new Error("a transaction on the reading connection")),
  );
  return {
    reader,
    writer,
    readSql: sqliteSql(reading, { writes: false, idle: raw }),
    writeSql: sqliteSql(raw, { writes: true }),
    writes,
    openChannel: null,
    close: async () => {
      await reader.$disconnect();
      await writer.$disconnect();
      await log?.close();
    },
  };
}

/**
 * At a commit with `FULL` the process stands still until the log is on the disk; without, the queue waits for that beside
 * everything else. Null on a file system that cannot have such a log: there each commit still waits by itself.
 */
async function waitForLogBeside(raw: Sqlite.Database, file: string): Promise<CommitLog | null> {
  // The first look into the file opens its log.
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
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  });
  await client.$queryRawUnsafe("SELECT 1");
  return client;
}

/** What has been committed to a database in WAL mode, as a file that can be brought to the disk. */
export type CommitLog = {
  /** Resolves once everything that was committed before the call is on the disk; rejects when the disk fails. */
  keep(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the log of a SQLite file, which exists as long as the file is open in WAL mode, whatever checkpoints do to its
 * contents (https://sqlite.org/wal.html). With `synchronous = NORMAL` SQLite leaves the log to the system at a commit, and
 * itself brings it to the disk before a checkpoint copies from it. `keep` is what `FULL` does besides, at each commit: but
 * beside the thread that serves everybody.
 */
export async function openLog(file: string): Promise<CommitLog> {
  const log = await open(`${file}-wal`, "r+");
  // That the log is there must outlive a loss of power as well.
  const folder = await open(dirname(file), "r");
  await folder.sync().finally(() => folder.close());
  const keep = () =>
    new Promise<void>((resolve, reject) => {
      // The way with a callback costs the thread that serves everybody less than the handle's own.
      fs.fdatasync(log.fd, (error) => (error ? reject(error) : resolve()));
    });
  return { keep, close: () => log.close() };
}

/** The connections of this process, opened once; the start-up hook has applied the migrations before. */
export function getDatabase(): Promise<Database> {
  return processStore("database", () => openDatabase(databaseAddress(getEnv())));
}
