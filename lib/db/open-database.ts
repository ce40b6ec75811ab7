import { dirname } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaClient } from "./generated/client";

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
  const pragmas = [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    `PRAGMA synchronous = ${options.synchronous === "off" ? "OFF" : "FULL"}`,
    "PRAGMA foreign_keys = ON",
    "PRAGMA cache_size = -16000",
  ];
  const writer = client(options.file, pragmas, { locksOnBegin: true });
  await writer.$queryRawUnsafe("SELECT 1");
  const reader = client(options.file, [
    "PRAGMA busy_timeout = 5000",
    "PRAGMA query_only = ON",
    "PRAGMA cache_size = -16000",
  ]);
  await reader.$queryRawUnsafe("SELECT 1");
  return {
    reader,
    writer,
    keyFolder: options.keyFolder ?? dirname(options.file),
    close: async () => {
      await reader.$disconnect();
      await writer.$disconnect();
    },
  };
}

/** Changes nothing, but as a write takes the lock that a later write of the transaction will need. */
const TAKE_WRITE_LOCK = { sql: `UPDATE "Setting" SET "key" = "key" WHERE 0`, args: [], argTypes: [] };
const ROLLBACK = { sql: "ROLLBACK", args: [], argTypes: [] };

function client(file: string, pragmas: string[], { locksOnBegin = false } = {}): PrismaClient {
  const factory = new PrismaBetterSqlite3({ url: `file:${file}` });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const connection = await connect();
    for (const pragma of pragmas) await connection.executeScript(pragma);
    if (locksOnBegin) lockOnBegin(connection);
    return connection;
  };
  return new PrismaClient({ adapter: factory, transactionOptions: { maxWait: 10_000, timeout: 30_000 } });
}

/**
 * The adapter begins transactions as deferred ones. One that reads first and writes later fails at once when another
 * process wrote in between; taking the lock at the beginning makes it wait its turn instead.
 */
function lockOnBegin(connection: Awaited<ReturnType<PrismaBetterSqlite3["connect"]>>): void {
  const start = connection.startTransaction.bind(connection);
  connection.startTransaction = async (level) => {
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
