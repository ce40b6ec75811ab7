import pg from "pg";
import type { RawConnection } from "../write-queue";

const TIMESTAMP = 1114;
const BIGINT = 20;
const NUMERIC = 1700;

/** Rows as Prisma gives them: moments are stored in UTC without saying so, and no number here needs more than 53 bits. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    if (oid === TIMESTAMP) return (value: string) => new Date(`${value.replace(" ", "T")}Z`);
    if (oid === BIGINT || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, "text");
  },
};

/**
 * A connection that takes any number of statements at once and sends one after the other. PostgreSQL takes no text with a
 * zero byte in it; what a program printed may have some, which become U+FFFD.
 */
export class TextClient extends pg.Client {
  private last: Promise<unknown> = Promise.resolve();

  override query = ((given: unknown, ...rest: unknown[]) => {
    const config = given as { values?: unknown[] };
    if (typeof given === "object" && Array.isArray(config?.values)) config.values = config.values.map(keepable);
    const send = () => Reflect.apply(pg.Client.prototype.query, this, [given, ...rest]) as unknown;
    // A pool asks with a callback, and for one statement at a time.
    if (rest.some((argument) => typeof argument === "function")) return send();
    const sent = this.last.then(send);
    this.last = sent.catch(() => undefined);
    return sent;
  }) as pg.Client["query"];
}

function keepable(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
}

/**
 * One connection for whoever asks: what is sent while a transaction is open is part of it. A connection that is lost is
 * replaced when the next transaction begins, never in the middle of one.
 */
export class OneConnection implements RawConnection {
  private client: Promise<pg.Client> | null = null;
  /** Of the newest client; null once it is lost. */
  private live: pg.Client | null = null;

  private readonly config: pg.ClientConfig;

  constructor(config: pg.ClientConfig) {
    this.config = config;
  }

  /** The connection, a new one when the last is lost. Only where nothing is open. */
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

  async close(): Promise<void> {
    const { live } = this;
    this.live = null;
    await live?.end();
  }

  /** A pool for Prisma's adapter, which takes nothing else, with this connection in it alone. */
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
    const lose = () => {
      if (this.live === client) this.live = null;
    };
    client.on("error", lose);
    client.on("end", lose);
    await client.connect().catch((error: unknown) => {
      lose();
      throw error;
    });
    return client;
  }
}
