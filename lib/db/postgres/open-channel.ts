import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Channel } from "../database";

const NAME = "skillgate";
/** Of a payload; PostgreSQL takes less than 8,000. */
const MAX_BYTES = 7_000;
const RETRY_MS = 1_000;

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
