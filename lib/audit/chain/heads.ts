import { verify } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { storeOf } from "@/lib/core/process-store";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { type ChainPosition, FIRST_CHAIN, GENESIS, readChains } from "./chain-events";

/** One signed line for the beginning of the chain, then one for each head; beside the instance's keys. */
export const HEADS_FILE = "audit-heads.ndjson";

const Begin = {
  kind: z.enum(["begin", "head"]),
  /** The newest event. For `begin`: at that time; events up to it were chained later. */
  seq: z.number().int().min(0),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
};
const Position = z.strictObject({ chain: z.number().int(), place: z.number().int(), hash: z.string() });
const Statement = z.discriminatedUnion("v", [
  /** `begin`, and heads of earlier releases: of the first chain, where the place was the number. */
  z.strictObject({ v: z.literal(1), ...Begin }),
  z.strictObject({
    ...{ v: z.literal(2), ...Begin },
    /** The newest event of every chain. */
    chains: z.array(Position),
    /** SHA-256 of the line before, without its line break. */
    prev: z.string(),
  }),
]);
type Statement = z.infer<typeof Statement>;
export type HeadLine = Statement & { sig: string };

/** The event of each chain that a head names; none for the beginning. */
export function positionsOf(line: Statement): ChainPosition[] {
  if (line.kind === "begin") return [];
  return line.v === 2 ? line.chains : [{ chain: FIRST_CHAIN, place: line.seq, hash: line.hash }];
}

export type Heads = {
  lines: HeadLine[];
  /** What is wrong with the file; null for a valid one. */
  problem: string | null;
};

export function headsFileOf(folder: string): string {
  return join(folder, HEADS_FILE);
}

type NewHead = Pick<Statement, "seq" | "hash"> & { at: Date; chains: ChainPosition[] | null };

/**
 * Appends one line and syncs the file; without `chains` the one for the beginning. Removes an incomplete last line first,
 * which a crash may have left.
 */
export async function appendHead(folder: string, key: SigningKey, { seq, hash, at, chains }: NewHead): Promise<void> {
  const handle = await open(headsFileOf(folder), "a+", 0o600);
  try {
    const before = await cutHalfLine(handle);
    const facts = { seq, hash, at: at.toISOString(), keyId: key.keyId };
    const statement: Statement =
      chains === null
        ? { v: 1, kind: "begin", ...facts }
        : { v: 2, kind: "head", ...facts, chains, prev: sha256Hex(before) };
    await handle.write(`${JSON.stringify({ ...statement, sig: key.sign(canonicalJson(statement)) })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** More than a line for each of the most processes that an instance may have. */
const MAX_LINE = 65_536;

/** Returns the last whole line. */
async function cutHalfLine(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat();
  if (size === 0) return "";
  const tail = Buffer.alloc(Math.min(size, MAX_LINE));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(0x0a);
  if (end !== tail.length - 1) await handle.truncate(size - tail.length + end + 1);
  return tail.toString("utf8", end < 1 ? 0 : tail.lastIndexOf(0x0a, end - 1) + 1, Math.max(0, end));
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
  const rows = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  for (const [index, row] of rows.entries()) {
    const line = parseLine(row);
    const what = `line ${index + 1} of ${HEADS_FILE}`;
    if (line === null) return { lines, problem: `${what} is not a head` };
    const { sig, ...statement } = line;
    if (line.keyId !== key.keyId) return { lines, problem: `${what} was signed with another key` };
    if (!verify(null, Buffer.from(canonicalJson(statement), "utf8"), key.publicKey, Buffer.from(sig, "base64"))) {
      return { lines, problem: `the signature of ${what} is invalid` };
    }
    if ((index === 0) !== (line.kind === "begin")) return { lines, problem: `${what} is out of order` };
    if (line.v === 2 && line.prev !== sha256Hex(rows[index - 1] ?? "")) {
      return { lines, problem: `${what} does not follow the line before it: lines were removed or moved` };
    }
    const before = lines.at(-1);
    if (before !== undefined && isBehind(line, before)) return { lines, problem: `${what} names an older event` };
    lines.push(line);
  }
  return lines.length === 0
    ? { lines, problem: `${HEADS_FILE} has no line for the beginning of the chain` }
    : { lines, problem: null };
}

/** Whether a head leaves out a chain of the one before, or names an older event of it. */
function isBehind(line: HeadLine, before: HeadLine): boolean {
  const places = new Map(positionsOf(line).map(({ chain, place }) => [chain, place]));
  return positionsOf(before).some(({ chain, place }) => place > (places.get(chain) ?? -1));
}

function parseLine(row: string): HeadLine | null {
  try {
    const { sig, ...statement } = Signed.parse(JSON.parse(row));
    return { ...Statement.parse(statement), sig };
  } catch {
    return null;
  }
}

const Signed = z.looseObject({ sig: z.string() });

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

/** Several processes write the file. The number is used for no other lock in this database. */
const LOCK_FILE = query<{ locked: string }>({
  sqlite: `SELECT '' AS "locked"`,
  postgresql: `SELECT pg_advisory_xact_lock(${0x534b475a})::text AS "locked"`,
});

/** Signs the newest committed event of each chain unless already signed; returns the newest number, or null. */
export function writeHead(database: Database, at: Date): Promise<number | null> {
  const writer = writerOf(database);
  const write = async () => {
    const chains = (await readChains(database.readSql)).flatMap(({ hash, ...rest }) =>
      hash === null ? [] : [{ ...rest, hash }],
    );
    const newest = chains.reduce((last, chain) => (chain.seq > last.seq ? chain : last), { seq: 0, hash: GENESIS });
    if (newest.seq === 0 || newest.seq === writer.head) return null;
    await appendHead(database.keyFolder, await loadSigningKey(database.keyFolder), {
      ...{ seq: newest.seq, hash: newest.hash, at },
      chains: chains.map(({ chain, place, hash }) => ({ chain, place, hash })),
    });
    writer.head = newest.seq;
    writer.since = newest.seq;
    return newest.seq;
  };
  const done = writer.last.then(() => {
    if (database.dialect === "sqlite") return write();
    // The transaction only holds the lock: what is read after it was granted is newer than the last line.
    return database.writes.enter(
      async () => {
        await database.writeSql.get(LOCK_FILE);
        return write();
      },
      { quick: false },
    );
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
