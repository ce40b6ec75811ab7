import type { Readable } from "node:stream";
import type { ReadBlob } from "../sync/source-reader";
import { SyncFailure } from "../sync-failure";

/** Longer ones are no output of git. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Splits output into records that end with `end`, a byte; a rest without it is left out. */
export async function* readRecords(stdout: Readable, end: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(end, start); at !== -1; at = bytes.indexOf(end, start)) {
      yield bytes.subarray(start, at);
      start = at + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_RECORD_BYTES)
      throw new SyncFailure("malformed_answer", "A path of the repository is too long.");
  }
}

/**
 * Reads the blobs of `git cat-file --batch`: `<sha> <type> <size>`, a new line, the bytes and a new line; `<sha> missing` for an object
 * that is not there, which is left out like one of another type. Throws `too_large` for a blob over `maxBytes`.
 */
export async function* readBatch(stdout: Readable, maxBytes: number): AsyncGenerator<ReadBlob> {
  const reader = createByteReader(stdout);
  for (;;) {
    const header = await reader.line();
    if (header === null) return;
    const [sha = "", type = "", text = ""] = header.split(" ");
    if (type === "missing" || text === "") continue;
    const size = Number(text);
    if (size > maxBytes) {
      throw new SyncFailure("too_large", `A file of the repository has ${size} bytes; the limit is ${maxBytes}.`);
    }
    const bytes = await reader.bytes(size);
    await reader.bytes(1);
    if (type === "blob") yield { sha, bytes };
  }
}

function createByteReader(stdout: Readable) {
  const chunks = (stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done) return false;
    held.push(value);
    length += value.length;
    return true;
  }

  function take(count: number): Buffer {
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    held = count < all.length ? [all.subarray(count)] : [];
    length -= count;
    return all.subarray(0, count);
  }

  return {
    async line(): Promise<string | null> {
      for (let at = -1; ; ) {
        if (held.length > 1) held = [Buffer.concat(held)];
        at = held[0]?.indexOf(10) ?? -1;
        if (at !== -1)
          return take(at + 1)
            .subarray(0, at)
            .toString("latin1");
        if (length > MAX_RECORD_BYTES || !(await more())) return null;
      }
    },
    async bytes(count: number): Promise<Buffer> {
      while (length < count) {
        if (!(await more())) throw new SyncFailure("connection", "git ended before it wrote a whole file.");
      }
      // A copy, so that a small file does not keep a whole chunk in memory.
      return count === 0 ? Buffer.alloc(0) : Buffer.from(take(count));
    },
  };
}
