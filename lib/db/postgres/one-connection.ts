import pg from "pg";
import type { RawConnection } from "../write-queue";

const TIMESTAMP = 1114;
const BIGINT = 20;
const NUMERIC = 1700;

/** Parsers that match Prisma's rows: times are stored in UTC without a zone, and no number exceeds 53 bits. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    if (oid === TIMESTAMP) return (value: string) => new Date(`${value.replace(" ", "T")}Z`);
    if (oid === BIGINT || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, "text");
  },
};

/**
 * Connection that queues statements. PostgreSQL rejects zero bytes in text, which program output may contain; they
 * become U+FFFD.
 */
export class TextClient extends pg.Client {
  private last: Promise<unknown> = Promise.resolve();
  /** SQLSTATEs of the statements that failed. */
  readonly failures = new Set<string>();

  override query = ((given: unknown, ...rest: unknown[]) => {
    const config = given as { values?: unknown[] };
    if (typeof given === "object" && Array.isArray(config?.values)) config.values = config.values.map(withoutZeroBytes);
    const send = () => Reflect.apply(pg.Client.prototype.query, this, [given, ...rest]) as unknown;
    // The pool uses callbacks, one statement at a time.
    if (rest.some((argument) => typeof argument === "function")) return send();
    const sent = this.last.then(send);
    this.last = sent.catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code !== undefined) this.failures.add(error.code);
    });
    return sent;
  }) as pg.Client["query"];
}

function withoutZeroBytes(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
}

/**
 * One shared connection: statements during a transaction belong to it. A lost connection is replaced when the next
 * transaction begins, never within one.
 */
export class OneConnection implements RawConnection {
  private client: Promise<pg.Client> | null = null;
  /** The newest client; null once it is lost. */
  private live: TextClient | null = null;

  private readonly config: pg.ClientConfig;

  constructor(config: pg.ClientConfig) {
    this.config = config;
  }

  /** Returns the connection, replacing a lost one. Only outside a transaction. */
  begin(): Promise<pg.Client> {
    if (this.live === null) this.client = null;
    return this.current();
  }

  current(): Promise<pg.Client> {
    this.client ??= this.open();
    return this.client;
  }

  async exec(sql: string): Promise<void> {
    await (await this.current()).query(sql);
  }

  isInTransaction(): boolean {
    const status = this.live?.getTransactionStatus() ?? "I";
    return status !== "I";
  }

  /** SQLSTATEs of the statements that failed since the last call. */
  takeFailures(): ReadonlySet<string> {
    const failures = new Set(this.live?.failures);
    this.live?.failures.clear();
    return failures;
  }

  async close(): Promise<void> {
    const { live } = this;
    this.live = null;
    await live?.end();
  }

  /** Pool with this connection alone, for Prisma's adapter, which only accepts pools. */
  asPool(): pg.Pool {
    const pool = new pg.Pool();
    return Object.assign(pool, {
      connect: async () => Object.assign(await this.begin(), { release: () => {} }),
      query: async (...args: unknown[]) => {
        const client = this.isInTransaction() ? await this.current() : await this.begin();
        return (client.query as (...args: unknown[]) => Promise<unknown>)(...args);
      },
      end: () => this.close(),
    });
  }

  private async open(): Promise<pg.Client> {
    const client = new TextClient({ ...this.config, types });
    this.live = client;
    const onLost = () => {
      if (this.live === client) this.live = null;
    };
    client.on("error", onLost);
    client.on("end", onLost);
    await client.connect().catch((error: unknown) => {
      onLost();
      throw error;
    });
    return client;
  }
}
