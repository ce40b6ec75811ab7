import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Database } from "../database";
import type { PrismaClient } from "../generated/client";
import { type Adapter, joinTransaction } from "../join-transaction";
import { lockOnBegin } from "../lock-on-begin";
import { createWriteQueue } from "../write-queue";
import { PrismaClient as PostgresClient } from "./generated/client";
import { OneConnection, TextClient, types } from "./one-connection";
import { openChannel } from "./open-channel";
import { postgresSql } from "./postgres-sql";

const READERS = 8;
/** Prepared statements that one connection keeps of Prisma's; lists of changing length make ever new ones. */
const MAX_PREPARED = 500;
/** Under a number that nobody else takes a lock on in this database. */
const TAKE_WRITE_LOCK = `SELECT pg_advisory_xact_lock(${0x534b4754})`;

/**
 * One connection that writes and a few that cannot. A transaction takes the instance's write lock as it begins, as on
 * SQLite: every write adds to the chain of the audit, so they stand behind each other whatever the isolation, and one
 * that reads first and writes later meets nobody in between. Transactions are given up after 30 seconds of silence, and
 * waiting for the lock after 15.
 */
export async function openPostgres(url: string): Promise<Omit<Database, "dialect" | "keyFolder" | "workFolder">> {
  const writing = new OneConnection({
    connectionString: url,
    application_name: "skillgate writer",
    keepAlive: true,
    options: "-c idle_in_transaction_session_timeout=30s -c lock_timeout=15s",
  });
  const reading = new pg.Pool({
    Client: TextClient,
    connectionString: url,
    application_name: "skillgate reader",
    keepAlive: true,
    max: READERS,
    types,
    options: "-c default_transaction_read_only=on",
  });
  reading.on("error", () => {
    // A connection nobody uses was lost; the next one that is needed is a new one, or says why it cannot be had.
  });
  const writer = await createClient(writing.asPool());
  const reader = await createClient(reading);
  const begin = lockOnBegin(writer.adapter, TAKE_WRITE_LOCK);
  const writes = createWriteQueue({ connection: writing, client: writer.client, begin });
  writer.adapter.startTransaction = (level) =>
    writes.isGroupOpen() ? joinTransaction(writer.adapter, writing) : begin(level);
  const query = async (config: pg.QueryConfig) => (await writing.current()).query(config);
  return {
    reader: reader.client,
    writer: writer.client,
    readSql: postgresSql(reading),
    writeSql: postgresSql({ query }, () => writing.isInTransaction()),
    writes,
    openChannel: (hear) => openChannel(url, hear),
    close: async () => {
      await reader.client.$disconnect();
      await writer.client.$disconnect();
      await reading.end();
      await writing.close();
    },
  };
}

async function createClient(pool: pg.Pool): Promise<{ client: PrismaClient; adapter: Adapter }> {
  const names = new Map<string, string>();
  const factory = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => {
      const known = names.get(sql);
      if (known !== undefined || names.size >= MAX_PREPARED) return known as string;
      const name = `prisma_${names.size}`;
      names.set(sql, name);
      return name;
    },
  });
  const adapter: Adapter = await factory.connect();
  // Both clients are made out of the same models and differ in what they send.
  const client = new PostgresClient({
    adapter: { provider: factory.provider, adapterName: factory.adapterName, connect: () => Promise.resolve(adapter) },
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  }) as unknown as PrismaClient;
  await client.$queryRawUnsafe("SELECT 1");
  return { client, adapter };
}
