import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaClient } from "./generated/client";

/**
 * Two connections to one SQLite file. The adapter runs a query that is sent outside a transaction on the same
 * connection as a transaction under way, so it would see, and join, uncommitted work: all writes go through
 * `inTransaction` on `writer`, and everything else reads from `reader`, which cannot write.
 */
export type Database = { reader: PrismaClient; writer: PrismaClient; close(): Promise<void> };

type OpenOptions = {
  /** Path of the file. */
  file: string;
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
  const writer = client(options.file, pragmas);
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
    close: async () => {
      await reader.$disconnect();
      await writer.$disconnect();
    },
  };
}

function client(file: string, pragmas: string[]): PrismaClient {
  const factory = new PrismaBetterSqlite3({ url: `file:${file}` });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const connection = await connect();
    for (const pragma of pragmas) await connection.executeScript(pragma);
    return connection;
  };
  return new PrismaClient({ adapter: factory, transactionOptions: { maxWait: 10_000, timeout: 30_000 } });
}
