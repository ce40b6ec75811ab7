import { verify } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import type { SigningKey } from "@/lib/core/signing-key";

/** The second file: one signed line for the beginning of the chain, then one for each head, in the folder of the keys. */
export const HEADS_FILE = "audit-heads.ndjson";

const Statement = z.strictObject({
  v: z.literal(1),
  kind: z.enum(["begin", "head"]),
  /** Of `begin`, the last event that was there before the chain: these were chained afterwards. */
  seq: z.number().int().min(0),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
});
const HeadLine = Statement.extend({ sig: z.string() });
export type HeadLine = z.infer<typeof HeadLine>;

export type Heads = {
  lines: HeadLine[];
  /** What is wrong with the file itself; null when nothing is. */
  problem: string | null;
};

export function headsFileOf(folder: string): string {
  return join(folder, HEADS_FILE);
}

/** Adds one line and waits until it is on the disk. What a crash left half-written at the end goes first. */
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

/** All heads, checked against the public key; null when there is no file. A half-written last line does not count. */
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
      return { lines, problem: `the signature of ${what} does not fit` };
    }
    if ((index === 0) !== (line.kind === "begin")) return { lines, problem: `${what} does not belong there` };
    const before = lines.at(-1);
    if (before?.kind === "head" && line.seq < before.seq) return { lines, problem: `${what} goes back` };
    lines.push(line);
  }
  return lines.length === 0
    ? { lines, problem: `${HEADS_FILE} does not say when the chain began` }
    : { lines, problem: null };
}

function parseLine(row: string): HeadLine | null {
  try {
    return HeadLine.parse(JSON.parse(row));
  } catch {
    return null;
  }
}
