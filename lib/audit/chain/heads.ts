import { verify } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { storeOf } from "@/lib/core/process-store";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import type { Sql } from "@/lib/db/sql";
import { readNewest } from "./chain-events";

/** One signed line for the beginning of the chain, then one for each head; beside the instance's keys. */
export const HEADS_FILE = "audit-heads.ndjson";

const Statement = z.strictObject({
  v: z.literal(1),
  kind: z.enum(["begin", "head"]),
  /** For `begin`: the newest event at that time; events up to it were chained later. */
  seq: z.number().int().min(0),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
});
const HeadLine = Statement.extend({ sig: z.string() });
export type HeadLine = z.infer<typeof HeadLine>;

export type Heads = {
  lines: HeadLine[];
  /** What is wrong with the file; null for a valid one. */
  problem: string | null;
};

export function headsFileOf(folder: string): string {
  return join(folder, HEADS_FILE);
}

/** Appends one line and syncs the file. Removes an incomplete last line first, which a crash may have left. */
export async function appendHead(
  folder: string,
  key: SigningKey,
  head: Pick<HeadLine, "kind" | "seq" | "hash"> & { at: Date },
): Promise<void> {
  const { kind, seq, hash, at } = head;
  const statement = { v: 1 as const, kind, seq, hash, at: at.toISOString(), keyId: key.keyId };
  const line = { ...statement, sig: key.sign(canonicalJson(statement)) };
  const handle = await open(headsFileOf(folder), "a+", 0o600);
  try {
    await cutHalfLine(handle);
    await handle.write(`${JSON.stringify(line)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function cutHalfLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const tail = Buffer.alloc(Math.min(size, 4096));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(0x0a);
  if (end !== tail.length - 1) await handle.truncate(size - tail.length + end + 1);
}

/** All heads, verified with the public key; null without a file. An incomplete last line is ignored. */
export async function readHeads(folder: string, key: Pick<SigningKey, "keyId" | "publicKey">): Promise<Heads | null> {
  let text: string;
  try {
    text = await readFile(headsFileOf(folder), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  return parseHeads(text, key);
}

export function parseHeads(text: string, key: Pick<SigningKey, "keyId" | "publicKey">): Heads {
  const lines: HeadLine[] = [];
  for (const [index, row] of text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1)
    .entries()) {
    const line = parseLine(row);
    const what = `line ${index + 1} of ${HEADS_FILE}`;
    if (line === null) return { lines, problem: `${what} is not a head` };
    const { sig, ...statement } = line;
    if (line.keyId !== key.keyId) return { lines, problem: `${what} was signed with another key` };
    if (!verify(null, Buffer.from(canonicalJson(statement), "utf8"), key.publicKey, Buffer.from(sig, "base64"))) {
      return { lines, problem: `the signature of ${what} is invalid` };
    }
    if ((index === 0) !== (line.kind === "begin")) return { lines, problem: `${what} is out of order` };
    const before = lines.at(-1);
    if (before?.kind === "head" && line.seq < before.seq) return { lines, problem: `${what} names an older event` };
    lines.push(line);
  }
  return lines.length === 0
    ? { lines, problem: `${HEADS_FILE} has no line for the beginning of the chain` }
    : { lines, problem: null };
}

function parseLine(row: string): HeadLine | null {
  try {
    return HeadLine.parse(JSON.parse(row));
  } catch {
    return null;
  }
}

/** Half of the documented maximum of 1,000: events that are committed meanwhile add to it. */
const EVENTS_PER_HEAD = 500;
const DELAY_MS = 20;

type Database = Ctx["database"];
type Writer = {
  head: number | null;
  since: number | null;
  isPlanned: boolean;
  /** The process is ending: a planned head is not written any more. */
  isOver: boolean;
  last: Promise<unknown>;
};

function writerOf(database: Database): Writer {
  const begin = () => ({ head: null, since: null, isPlanned: false, isOver: false, last: Promise.resolve() });
  return storeOf<Writer>(database, "audit-heads", begin);
}

/** Signs the newest committed event unless already signed; returns its number, or null when there was none. */
export function writeHead(database: Database, at: Date): Promise<number | null> {
  const writer = writerOf(database);
  const write = async (sql: Sql) => {
    const tail = await readNewest(sql);
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
    // Several processes write this file, so the head is read and signed under the write lock.
    return database.writes.enter(() => write(database.writeSql), { quick: false });
  });
  writer.last = done.catch(() => undefined);
  return done;
}

/** Signs the last head during an orderly shutdown, before the database is closed. */
export function writeLastHead(database: Database, at: Date): Promise<number | null> {
  writerOf(database).isOver = true;
  return writeHead(database, at);
}

/** Plans a head in the background after enough events. */
export function scheduleHead(database: Database, seq: number): void {
  const writer = writerOf(database);
  writer.since ??= seq - 1;
  if (writer.isPlanned || seq - writer.since < EVENTS_PER_HEAD) return;
  writer.isPlanned = true;
  const plan = () => {
    writer.isPlanned = false;
    if (writer.isOver) return;
    writeHead(database, new Date()).catch((err: unknown) =>
      logger.error({ err }, "the audit log's head was not written"),
    );
  };
  setTimeout(plan, DELAY_MS).unref();
}
