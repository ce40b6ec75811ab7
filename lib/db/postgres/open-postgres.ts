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

/** Limit of a payload; PostgreSQL's is 8,000. */
const MAX_BYTES = 7_000;

const RETRY_MS = 1_000;

const READERS = 8;
/** Prisma's prepared statements per connection; lists of varying length would create ever more. */
const MAX_PREPARED = 500;
/** Equal texts see the same commits: the lowest and highest running transactions only grow, and none runs twice. */
const SNAPSHOT = { name: "revision", text: `SELECT pg_current_snapshot()::text AS "at"` };
/** Shared by all transactions, and taken alone for one that failed to serialize repeatedly. Used for no other lock. */
const WRITE_LOCK = 0x534b4754;

/**
 * Serializable transactions. Without `enable_seqscan` a read of a small table would lock all of its rows against the
 * writes of others (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE). The planner then takes
 * the scans of tables with one row for very expensive, and `jit` would compile each for 80 ms.
 */
const WRITER_OPTIONS = [
  ...["idle_in_transaction_session_timeout=30s", "lock_timeout=15s"],
  ...["default_transaction_isolation=serializable", "enable_seqscan=off", "jit=off"],
];

/** Advisory locks (class, chain): owned by a session, and held by each transaction that may extend the chain. */
const OWNED = 0x534b4758;
const EXTENDED = 0x534b4759;
/** As an instance's processes: each claims the lowest free number, so chains are continued after restarts. */
const MAX_CHAINS = 64;

/** Waits for each open transaction that may extend a chain, one after the other, without holding any of them up. */
const WAIT_FOR_CHAINS = `SELECT pg_advisory_lock_shared(${EXTENDED}, c), pg_advisory_unlock_shared(${EXTENDED}, c)
  FROM generate_series(1, ${MAX_CHAINS}) c`;

/** Numbers that exist already would be refused, for instance after a restore without the sequence. */
const NEXT_AFTER_NEWEST = `SELECT setval('"AuditEvent_seq_seq"', n."seq") FROM (SELECT MAX("seq") AS "seq" FROM "AuditEvent") n
  WHERE n."seq" > (SELECT last_value FROM "AuditEvent_seq_seq")`;

/**
 * Opens one writing connection and a pool of reading ones. Transactions are serializable and repeated when they fail for
 * that. Each extends the audit chain that its connection owns. Idle transactions end after 30 seconds; waiting for a
 * lock ends after 15.
 */
export async function openPostgres(url: string): Promise<Omit<Database, "dialect" | "keyFolder" | "workFolder">> {
  const writing = new OneConnection({
    connectionString: url,
    application_name: "skillgate writer",
    keepAlive: true,
    options: WRITER_OPTIONS.map((option) => `-c ${option}`).join(" "),
  });
  const reading = new pg.Pool({
    Client: TextClient,
    connectionString: url,
    application_name: "skillgate reader",
    keepAlive: true,
    max: READERS,
    types,
    options: "-c default_transaction_read_only=on -c lock_timeout=15s",
  });
  reading.on("error", () => {
    // An idle connection was lost; the pool opens another on demand.
  });
  const writer = await createClient(writing.asPool());
  const reader = await createClient(reading);
  const { begin, chain } = beginOnChain(writer.adapter, writing);
  const others = { takeFailures: () => writing.takeFailures(), lockOut };
  const writes = createWriteQueue({ connection: writing, client: writer.client, begin, others });
  writer.adapter.startTransaction = (level) =>
    writes.isGroupOpen() ? joinTransaction(writer.adapter, writing) : begin(level);
  const query = async (config: pg.QueryConfig) => (await writing.current()).query(config);

  async function lockOut(): Promise<() => Promise<void>> {
    await (await writing.begin()).query(`SELECT pg_advisory_lock(${WRITE_LOCK})`);
    // A lost connection has lost its lock too.
    return () => writing.exec(`SELECT pg_advisory_unlock(${WRITE_LOCK})`).catch(() => undefined);
  }

  return {
    reader: reader.client,
    writer: writer.client,
    readSql: postgresSql(reading),
    writeSql: postgresSql({ query }, () => writing.isInTransaction()),
    writes,
    readRevision: async () => (await reading.query<{ at: string }>(SNAPSHOT)).rows[0]?.at ?? "",
    chain,
    settle: async () => void (await reading.query(WAIT_FOR_CHAINS)),
    openChannel: (receive) => openChannel(url, receive),
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
  // Both clients are generated from the same models and differ only in SQL.
  const client = new PostgresClient({
    adapter: { provider: factory.provider, adapterName: factory.adapterName, connect: () => Promise.resolve(adapter) },
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  }) as unknown as PrismaClient;
  await client.$queryRawUnsafe("SELECT 1");
  return { client, adapter };
}

const ROLLBACK = { sql: "ROLLBACK", args: [], argTypes: [] };

type Beginning = { begin: SqlDriverAdapter["startTransaction"]; chain(): number };

/** Begins transactions of the adapter that share the write lock and hold the chain that the connection owns. */
function beginOnChain(adapter: SqlDriverAdapter, writing: OneConnection): Beginning {
  const start = adapter.startTransaction.bind(adapter);
  let owner: { client: pg.Client; chain: number } | null = null;

  async function begin(level?: Parameters<typeof start>[0]): Promise<Transaction> {
    const client = await writing.begin();
    if (owner?.client !== client) owner = { client, chain: await claimChain(client) };
    const transaction = await start(level);
    const sql = `SELECT pg_advisory_xact_lock_shared(${WRITE_LOCK}), ${HOLD_CHAIN(owner.chain)}`;
    try {
      await transaction.executeRaw({ sql, args: [], argTypes: [] });
      return transaction;
    } catch (error) {
      // A lost connection has nothing to roll back.
      await transaction.executeRaw(ROLLBACK).catch(() => {});
      await transaction.rollback();
      throw error;
    }
  }

  return {
    begin,
    chain: () => {
      if (owner === null) throw new Error("no transaction has begun, so this process extends no chain yet");
      return owner.chain;
    },
  };
}

/**
 * Opens a channel by LISTEN and NOTIFY on its own connection. Messages of one event loop turn are sent together, up to
 * 7,000 bytes per notification. While disconnected it sends nothing, reconnects every second, and then calls
 * `receive(null)`. Messages must not contain line breaks.
 */
export async function openChannel(url: string, receive: (text: string | null) => void): Promise<Channel> {
  const self = randomBytes(6).toString("base64url");
  const waiting = new Set<string>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: "skillgate channel", keepAlive: true });
    const onLost = () => {
      if (client === next) client = null;
      reconnectLater();
    };
    next.on("error", onLost);
    next.on("end", onLost);
    next.on("notification", ({ payload = "" }) => {
      const [from, ...texts] = payload.split("\n");
      if (from !== self) for (const text of texts) receive(text);
    });
    await next.connect();
    await next.query(`LISTEN ${NAME}`);
    client = next;
  }

  function reconnectLater(): void {
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      connect().then(
        () => receive(null),
        () => reconnectLater(),
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

/** Locks for the rest of the transaction a chain that this session owns, so that readers can wait for the transaction. */
const HOLD_CHAIN = (chain: number) => `pg_advisory_xact_lock(${EXTENDED}, ${chain})`;

/**
 * Claims the lowest free chain of the audit log, for as long as the connection lives. Outside a transaction: what the
 * owner before wrote is then visible to the next one. Throws when 64 processes own one each.
 */
async function claimChain(client: pg.Client): Promise<number> {
  for (let chain = 1; chain <= MAX_CHAINS; chain++) {
    const { rows } = await client.query<{ isOwn: boolean }>(
      `SELECT pg_try_advisory_lock(${OWNED}, ${chain}) AS "isOwn"`,
    );
    if (rows[0]?.isOwn !== true) continue;
    await client.query(NEXT_AFTER_NEWEST);
    return chain;
  }
  throw new Error(`${MAX_CHAINS} processes write to this database already. End one of them.`);
}
