import { dirname } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type Sqlite from "better-sqlite3";
import type { Database, DatabaseAddress } from "./database";
import { PrismaClient } from "./generated/client";
import { joinTransaction } from "./join-transaction";
import { lockOnBegin } from "./lock-on-begin";
import { type CommitLog, openLog } from "./open-log";
import { sqliteSql } from "./sqlite-sql";
import { createWriteQueue } from "./write-queue";

type Options = { file: string; synchronous: "full" | "off" };

/**
 * The adapter begins transactions as deferred ones. One that reads first and writes later fails at once when another
 * process wrote in between. This changes nothing, but as a write it takes the lock at the beginning and waits its turn.
 */
const TAKE_WRITE_LOCK = `UPDATE "Setting" SET "key" = "key" WHERE 0`;

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
 * Two connections to one file: WAL, foreign keys on, and a wait of at most five seconds for another process's lock. The
 * adapter runs a query that is sent outside a transaction on the same connection as a transaction under way, so it would
 * see, and join, uncommitted work; that is why reads have a connection of their own. `full`: nobody is answered before
 * the log of their write is on the disk.
 */
async function openSqlite(options: Options): Promise<Omit<Database, "dialect" | "keyFolder" | "workFolder">> {
  const writing = await connect(options.file, [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    `PRAGMA synchronous = ${options.synchronous === "off" ? "OFF" : "FULL"}`,
    "PRAGMA foreign_keys = ON",
    // In pages of 4 KiB. A checkpoint waits for the disk twice more and writes each changed page again.
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA cache_size = -16000",
  ]);
  const { raw } = writing;
  const log = options.synchronous === "full" ? await waitForLogBeside(raw, options.file) : null;
  const [begin, commit] = [raw.prepare("BEGIN IMMEDIATE"), raw.prepare("COMMIT")];
  const exec = (sql: string) => void (sql === "COMMIT" ? commit.run() : raw.exec(sql));
  const connection = { exec, isInTransaction: () => raw.inTransaction };
  const writes = createWriteQueue({
    connection,
    client: writing.client,
    begin: async () => {
      begin.run();
      return { commit: () => Promise.resolve() };
    },
    keep: async () => log?.keep(),
  });
  const beginAlone = lockOnBegin(writing.adapter, TAKE_WRITE_LOCK);
  writing.adapter.startTransaction = (level) =>
    writes.isGroupOpen() ? joinTransaction(writing.adapter, connection) : beginAlone(level);
  const reading = await connect(options.file, [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA query_only = ON",
    "PRAGMA cache_size = -16000",
  ]);
  return {
    reader: reading.client,
    writer: writing.client,
    readSql: sqliteSql(reading.raw, { writes: false, idle: raw }),
    writeSql: sqliteSql(raw, { writes: true }),
    writes,
    openChannel: null,
    close: async () => {
      await reading.client.$disconnect();
      await writing.client.$disconnect();
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

/** One connection: the client that uses it, the adapter in between, and the connection itself for prepared statements. */
async function connect(file: string, pragmas: string[]) {
  const factory = new PrismaBetterSqlite3({ url: `file:${file}` });
  const adapter = await factory.connect();
  for (const pragma of pragmas) await adapter.executeScript(pragma);
  factory.connect = () => Promise.resolve(adapter);
  const client = new PrismaClient({ adapter: factory, transactionOptions: { maxWait: 10_000, timeout: 30_000 } });
  await client.$queryRawUnsafe("SELECT 1");
  // The adapter has it under this name, and nothing else of ours depends on how it is made.
  const { client: raw } = adapter as unknown as { client: Sqlite.Database };
  return { client, adapter, raw };
}
