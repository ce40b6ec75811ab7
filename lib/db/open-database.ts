import { dirname } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type Sqlite from "better-sqlite3";
import { PrismaClient } from "./generated/client";
import { joinTransaction } from "./join-transaction";
import type { Sql } from "./sql";
import { sqliteSql } from "./sqlite-sql";
import { createWriteQueue, type WriteQueue } from "./write-queue";

/**
 * Two connections to one SQLite file. The adapter runs a query that is sent outside a transaction on the same
 * connection as a transaction under way, so it would see, and join, uncommitted work: all writes go through
 * `inTransaction` on `writer`, and everything else reads from `reader`, which cannot write.
 */
export type Database = {
  reader: PrismaClient;
  writer: PrismaClient;
  /** Folder of the instance's keys. */
  keyFolder: string;
  /** Plain SQL on the reading connection, and inside a transaction. Verbs ask `sqlOf`. */
  readSql: Sql;
  writeSql: Sql;
  /** Where `inTransaction` gets its turn. */
  writes: WriteQueue;
  close(): Promise<void>;
};

type OpenOptions = {
  /** Path of the file. */
  file: string;
  /** Folder of the instance's keys; the file's own when left out. */
  keyFolder?: string;
  /** `full` survives power loss; `off` is for tests. */
  synchronous?: "full" | "off";
};

/** Opens a migrated database. WAL, foreign keys on, and a wait of at most five seconds for another process's lock. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const writing = await connect(options.file, [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    `PRAGMA synchronous = ${options.synchronous === "off" ? "OFF" : "FULL"}`,
    "PRAGMA foreign_keys = ON",
    // In pages of 4 KiB. A checkpoint waits for the disk twice more and writes each changed page again.
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA cache_size = -16000",
  ]);
  const begin = lockOnBegin(writing.adapter);
  const writes = createWriteQueue({ raw: writing.raw, client: writing.client, begin });
  writing.adapter.startTransaction = (level) =>
    writes.isGroupOpen() ? joinTransaction(writing.adapter, writing.raw) : begin(level);
  const reading = await connect(options.file, [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA query_only = ON",
    "PRAGMA cache_size = -16000",
  ]);
  return {
    reader: reading.client,
    writer: writing.client,
    keyFolder: options.keyFolder ?? dirname(options.file),
    readSql: sqliteSql(reading.raw, { writes: false }),
    writeSql: sqliteSql(writing.raw, { writes: true }),
    writes,
    close: async () => {
      await reading.client.$disconnect();
      await writing.client.$disconnect();
    },
  };
}

type Adapter = Awaited<ReturnType<PrismaBetterSqlite3["connect"]>>;

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

/** Changes nothing, but as a write takes the lock that a later write of the transaction will need. */
const TAKE_WRITE_LOCK = { sql: `UPDATE "Setting" SET "key" = "key" WHERE 0`, args: [], argTypes: [] };
const ROLLBACK = { sql: "ROLLBACK", args: [], argTypes: [] };

/**
 * The adapter begins transactions as deferred ones. One that reads first and writes later fails at once when another
 * process wrote in between; taking the lock at the beginning makes it wait its turn instead.
 */
function lockOnBegin(adapter: Adapter): Adapter["startTransaction"] {
  const start = adapter.startTransaction.bind(adapter);
  return async (level) => {
    const transaction = await start(level);
    try {
      await transaction.executeRaw(TAKE_WRITE_LOCK);
      return transaction;
    } catch (error) {
      await transaction.executeRaw(ROLLBACK);
      await transaction.rollback();
      throw error;
    }
  };
}
