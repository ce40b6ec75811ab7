import { inflateRawSync, inflateSync } from "node:zlib";
import type { Encoding } from "@/lib/policy/analysis/schema";

/** Bytes that may still be decoded; `isShort` when there were more. */
export type Budget = { left: number; isShort: boolean };

const MAX_INFLATED = 512 * 1024;
const MAX_RUNS = 10_000;
/** What a text costs beside its length, so that many small ones are bounded too; what failed to inflate costs more. */
export const COST = 512;
const FAILED_COST = 16 * 1024;

/** Of base32 and base64 (RFC 4648), by the bits of a character. */
export const ALPHABETS = {
  5: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  6: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
};

/** Takes the cost of a text from the budget, or notes that there is too little left. */
function spend(budget: Budget, cost: number): boolean {
  if (budget.left < cost) {
    budget.isShort = true;
    return false;
  }
  budget.left -= cost;
  return true;
}

/** Percent, C, JSON and HTML escapes, and lists of numbers with `0x`. */
const ESCAPE = /(?:%|\\x|\\u00|&#x|0x)[0-9a-f]{2}/i;
const ESCAPES = /(?:%|\\x|\\u00|&#x|0x)([0-9a-f]{2})(?:;|,[ \n]?(?=0x))?/gi;

/** The text, and the text without percent escapes and other escapes of characters if it has any. */
export function textsOf(text: string): { text: string; encoding: Encoding | null }[] {
  const plain = { text, encoding: null };
  if (!ESCAPE.test(text)) return [plain];
  const unescaped = text.replace(ESCAPES, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return [plain, { text: unescaped, encoding: "url" }];
}

type Decoded = { bytes: Buffer; encoding: Encoding };

/** Ends where the budget does. */
export function* decode(text: string, budget: Budget): Generator<Decoded> {
  yield* inflated(text, budget);
  yield* decodedRuns(text, budget);
  yield* decimals(text, budget);
}

/** How gzip (RFC 1952) and a file in a zip archive (APPNOTE 4.3.7) begin, and the ways in which zlib (RFC 1950) does. */
const GZIP = "\u001f\u008b\u0008";
const ZIP = "PK\u0003\u0004";
const ZLIB = ["x\u0001", "x\u005e", "x\u009c", "x\u00da"];
const MAX_STARTS = 20;
/** Formats that only their own programs read: xz, bzip2, Zstandard, 7z, and what OpenSSL, age and GnuPG encrypt. */
const UNREAD =
  /\xfd7zXZ|BZh[1-9]1AY&SY|\(\xb5\/\xfd|7z\xbc\xaf'|Salted__|age-encryption\.org\/v1|-----BEGIN PGP MESSAGE/;

/** Where compressed bytes begin, without the header in front of them; `inflateRaw` ends where they do. */
function* startsOf(text: string, budget: Budget): Generator<{ from: number; inflate: typeof inflateSync }> {
  for (const magic of [GZIP, ZIP, ...ZLIB]) {
    let count = 0;
    for (let at = text.indexOf(magic); at !== -1; at = text.indexOf(magic, at + 1)) {
      count += 1;
      if (count > MAX_STARTS) {
        // Two bytes stand in any data by chance.
        if (magic.length > 2) budget.isShort = true;
        break;
      }
      // The first flag of a file in a zip archive says that it is encrypted.
      if (magic === ZIP && text.charCodeAt(at + 6) & 1) budget.isShort = true;
      if (magic === GZIP) yield { from: endOfGzipHeader(text, at), inflate: inflateRawSync };
      else if (magic === ZIP) yield { from: endOfZipHeader(text, at), inflate: inflateRawSync };
      else yield { from: at, inflate: inflateSync };
    }
  }
}

function endOfGzipHeader(text: string, at: number): number {
  const flags = text.charCodeAt(at + 3);
  let from = at + 10;
  if (flags & 4) from += 2 + text.charCodeAt(from) + 256 * text.charCodeAt(from + 1);
  // A name and a comment end with a zero each.
  for (const bit of [8, 16]) if (flags & bit) from = text.indexOf("\0", from) + 1 || text.length;
  return flags & 2 ? from + 2 : from;
}

function endOfZipHeader(text: string, at: number): number {
  const number = (from: number) => text.charCodeAt(at + from) + 256 * text.charCodeAt(at + from + 1);
  return at + 30 + number(26) + number(28);
}

function* inflated(text: string, budget: Budget): Generator<Decoded> {
  if (UNREAD.test(text)) budget.isShort = true;
  const options = { maxOutputLength: MAX_INFLATED, finishFlush: 2 };
  let data: Buffer | undefined;
  for (const { from, inflate } of startsOf(text, budget)) {
    if (!spend(budget, FAILED_COST)) return;
    data ??= Buffer.from(text, "latin1");
    try {
      const bytes = inflate(data.subarray(from), options);
      if (!spend(budget, bytes.length)) return;
      yield { bytes, encoding: "compressed" };
    } catch (failure) {
      // What inflates to more than is looked at was not looked at.
      if ((failure as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        budget.isShort = true;
        budget.left -= Math.min(budget.left, MAX_INFLATED);
      }
    }
  }
}

/** Runs that may be encoded bytes, for what is compressed or encoded below; a single level is found by `formsOf`. */
function* decodedRuns(text: string, budget: Budget): Generator<Decoded> {
  const compact = text.replace(/\\[nr]|[\s.]+/g, "");
  const hex = runsOf(compact, /[0-9a-f]{40,}/gi, budget);
  // Numbers in hexadecimal, such as hashes, are no base64, and neither are words without what stood between them.
  const base64 = runsOf(compact, /[A-Za-z0-9+/_-]{24,}/g, budget).filter(
    (run) => !/^[0-9a-f]{40,}$/i.test(run) && (run.length < 200 || /\d/.test(run)),
  );
  // In one case and with digits: words that stand together are no base32.
  const base32 = runsOf(
    text.replace(/\./g, ""),
    /(?<![A-Za-z0-9+/])(?:[A-Z2-7]{24,}|[a-z2-7]{24,})(?![A-Za-z0-9+/])/g,
    budget,
  ).filter((run) => /\d/.test(run) && /\D/.test(run));
  // The run may begin with letters of what stands before it, such as the end of a path.
  const cuts = [
    ...hex.flatMap((run) => [0, 1].map((from) => ({ run, from, encoding: "hex" as const }))),
    ...base64.flatMap((run) => [0, 1, 2, 3].map((from) => ({ run, from, encoding: "base64" as const }))),
    ...base32.flatMap((run) => [0, 1, 2, 3, 4, 5, 6, 7].map((from) => ({ run, from, encoding: "base32" as const }))),
  ];
  for (const { run, from, encoding } of cuts) {
    if (!spend(budget, run.length + COST)) return;
    const part = run.slice(from);
    yield { bytes: encoding === "base32" ? fromBase32(part) : Buffer.from(part, encoding), encoding };
  }
}

/** RFC 4648, in letters of either case. */
function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const char of text.toUpperCase()) {
    held = ((held << 5) | ALPHABETS[5].indexOf(char)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    at += 1;
  }
  return bytes;
}

/** Bytes as decimal or octal numbers, as `od` and lists of numbers have them. */
function* decimals(text: string, budget: Budget): Generator<Decoded> {
  for (const run of runsOf(text, /(?:(?<!\w)\d{1,3}[^\w]{1,8}){15,}\d{1,3}/g, budget)) {
    const numbers = run.match(/\d+/g) ?? [];
    const isOctal = numbers.every((number) => /^[0-3][0-7]{2}$/.test(number));
    for (const base of isOctal ? [10, 8] : [10]) {
      if (!spend(budget, run.length + COST)) return;
      yield { bytes: Buffer.from(numbers.map((number) => Number.parseInt(number, base))), encoding: "decimal" };
    }
  }
}

function runsOf(text: string, pattern: RegExp, budget: Budget): string[] {
  const runs: string[] = [];
  for (const { 0: run } of text.matchAll(pattern)) {
    if (runs.length === MAX_RUNS) {
      budget.isShort = true;
      break;
    }
    runs.push(run);
  }
  return runs;
}
