import { logger } from "@/lib/core/logger";
import { storeOf } from "@/lib/core/process-store";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { query, type Sql } from "@/lib/db/sql";
import { appendHead } from "./heads-file";

/** Well below the promised thousand: what is being committed meanwhile comes on top. */
const EVENTS_BETWEEN = 500;
const SOON_MS = 20;

type Database = Ctx["database"];
type Writer = {
  /** The event that was signed last, by this process. */
  head: number | null;
  /** Where it began to count. */
  since: number | null;
  isPlanned: boolean;
  /** The process ends: what is planned is not done any more. */
  isOver: boolean;
  last: Promise<unknown>;
};
type Tail = { seq: number; hash: string | null };

const TAIL = query<Tail>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);

function writerOf(database: Database): Writer {
  const begin = () => ({ head: null, since: null, isPlanned: false, isOver: false, last: Promise.resolve() });
  return storeOf<Writer>(database, "audit-heads", begin);
}

/**
 * Signs the newest committed event into the second file, unless this process did so already; resolves when that is on the
 * disk. Answers its number, or null when there was nothing new.
 */
export function writeHead(database: Database, at: Date): Promise<number | null> {
  const writer = writerOf(database);
  const write = async (sql: Sql) => {
    const tail = await sql.get(TAIL);
    if (tail?.hash == null || tail.seq === writer.head) return null;
    await appendHead(database.keyFolder, await loadSigningKey(database.keyFolder), {
      kind: "head",
      seq: tail.seq,
      hash: tail.hash,
      at,
    });
    writer.head = tail.seq;
    writer.since = tail.seq;
    return tail.seq;
  };
  const done = writer.last.then(() => {
    if (database.dialect === "sqlite") return write(database.readSql);
    // Other processes write to the same file: whoever has the write lock reads the newest event and signs it.
    return database.writes.enter(() => write(database.writeSql), { quick: false });
  });
  writer.last = done.catch(() => undefined);
  return done;
}

/** The head of an orderly end, before the database is closed. */
export function writeLastHead(database: Database, at: Date): Promise<number | null> {
  writerOf(database).isOver = true;
  return writeHead(database, at);
}

/** Plans a head once enough events have come; nobody waits for it. */
export function noticeEvent(database: Database, seq: number): void {
  const writer = writerOf(database);
  writer.since ??= seq - 1;
  if (writer.isPlanned || seq - writer.since < EVENTS_BETWEEN) return;
  writer.isPlanned = true;
  const plan = () => {
    writer.isPlanned = false;
    if (writer.isOver) return;
    writeHead(database, new Date()).catch((err: unknown) => logger.error({ err }, "the audit's head was not written"));
  };
  setTimeout(plan, SOON_MS).unref();
}
