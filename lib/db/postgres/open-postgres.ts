import { randomBytes } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlDriverAdapter, Transaction } from "@prisma/driver-adapter-utils";
import pg from "pg";
import type { Channel, Database } from "../database";
import type { PrismaClient } from "../generated/client";
import { createWriteQueue, joinTransaction } from "../write-queue";
import { PrismaClient as PostgresClient } from "./generated/client";
import { OneConnection, TextClient, types } from "./one-connection";
import { postgresSql } from "./postgres-sql";

const NAME = "skillgate";

/** Of a payload; PostgreSQL takes less than 8,000. */
const MAX_BYTES = 7_000;

const RETRY_MS = 1_000;

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
  const begin = lockOnBegin(writer.adapter);
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

async function createClient(pool: pg.Pool): Promise<{ client: PrismaClient; adapter: SqlDriverAdapter }> {
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
  const adapter: SqlDriverAdapter = await factory.connect();
  // Both clients are made out of the same models and differ in what they send.
  const client = new PostgresClient({
    adapter: { provider: factory.provider, adapterName: factory.adapterName, connect: () => Promise.resolve(adapter) },
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  }) as unknown as PrismaClient;
  await client.$queryRawUnsafe("SELECT 1");
  return { client, adapter };
}

const ROLLBACK = { sql: "ROLLBACK", args: [], argTypes: [] };

/** What begins a transaction of the adapter and waits in it for the write lock. */
function lockOnBegin(adapter: SqlDriverAdapter): SqlDriverAdapter["startTransaction"] {
  const start = adapter.startTransaction.bind(adapter);
  return async (level): Promise<Transaction> => {
    const transaction = await start(level);
    try {
      await transaction.executeRaw({ sql: TAKE_WRITE_LOCK, args: [], argTypes: [] });
      return transaction;
    } catch (error) {
      // On a connection that is gone there is nothing to take back.
      await transaction.executeRaw(ROLLBACK).catch(() => {});
      await transaction.rollback();
      throw error;
    }
  };
}

/**
 * A channel by LISTEN and NOTIFY on a connection of its own. What is sent in one turn of the event loop goes as one
 * notification for each 7,000 bytes. While the connection is lost nothing is sent; it is tried anew every second, and who
 * listens is told that something may have been missed. Texts hold no line break.
 */
export async function openChannel(url: string, hear: (text: string | null) => void): Promise<Channel> {
  const self = randomBytes(6).toString("base64url");
  const waiting = new Set<string>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: "skillgate channel", keepAlive: true });
    const lose = () => {
      if (client === next) client = null;
      plan();
    };
    next.on("error", lose);
    next.on("end", lose);
    next.on("notification", ({ payload = "" }) => {
      const [from, ...texts] = payload.split("\n");
      if (from !== self) for (const text of texts) hear(text);
    });
    await next.connect();
    await next.query(`LISTEN ${NAME}`);
    client = next;
  }

  function plan(): void {
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      connect().then(
        () => hear(null),
        () => plan(),
      );
    }, RETRY_MS).unref();
  }

  function flush(): void {
    let payload = self;
    const send = () => {
      client?.query("SELECT pg_notify($1, $2)", [NAME, payload]).catch(() => undefined);
      payload = self;
    };
    for (const text of waiting) {
      if (Buffer.byteLength(payload) + Buffer.byteLength(text) >= MAX_BYTES) send();
      payload += `\n${text}`;
    }
    waiting.clear();
    send();
  }

  await connect();
  return {
    send: (text) => {
      if (waiting.size === 0) setImmediate(flush);
      waiting.add(text);
    },
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await client?.end();
    },
  };
}
