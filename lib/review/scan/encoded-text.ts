import { decodeText } from "@/lib/skill-format/archive/decode-text";
import type { ScanView } from "./schema";

const MIN_CHARS = 20;
const BASE64 = alphabet(/[A-Za-z0-9+/_-]/, MIN_CHARS);
/** Separators within one encoded text: a line break, or the ends of two string literals. */
const JOINT = /["'`]?[ \t]{0,3}[+\\,.]?[ \t]{0,3}\r?\n[ \t]{0,40}["'`]?|["'] {0,3}\+ {0,3}["']/y;
const FULL_LINE = 40;

/** `has` holds 1 for each code unit that is a letter of it. */
type Alphabet = { has: Uint8Array; min: number };

/** An alphabet of ASCII letters; shorter texts than `min` letters are none of it. */
export function alphabet(letter: RegExp, min: number): Alphabet {
  return { has: Uint8Array.from({ length: 128 }, (_, code) => (letter.test(String.fromCharCode(code)) ? 1 : 0)), min };
}

/** Text hidden in base64 (both alphabets; wrapped lines and concatenated literals joined), from 20 characters. */
export function decodeBase64(text: string): Fragment[] {
  return joinedRuns(text, BASE64).flatMap(({ run, source }) => {
    if (run.length < MIN_CHARS || !looksEncoded(run)) return [];
    const decoded = readableText(Buffer.from(run, "base64"));
    return decoded === null ? [] : [{ view: "base64-decoded" as const, text: decoded, source }];
  });
}

/** Finds the runs of characters of an alphabet. A run of 40 characters or more continues after a separator. */
export function joinedRuns(text: string, { has, min }: Alphabet): { run: string; source: number }[] {
  const runs: { run: string; source: number }[] = [];
  const endOf = (from: number) => {
    let end = from;
    while (has[text.charCodeAt(end)] === 1) end += 1;
    return end;
  };
  let done = 0;
  // A run of `min` letters has one at each `min`th place, so that the others need not be read.
  for (let at = min - 1; at < text.length; at += min) {
    if (has[text.charCodeAt(at)] !== 1) continue;
    let start = at;
    while (start > done && has[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = endOf(at);
    const parts = [text.slice(start, end)];
    if (end - start >= min) {
      while ((parts.at(-1)?.length ?? 0) >= FULL_LINE) {
        JOINT.lastIndex = end;
        if (!JOINT.test(text)) break;
        const next = JOINT.lastIndex;
        const nextEnd = endOf(next);
        if (nextEnd === next) break;
        parts.push(text.slice(next, nextEnd));
        end = nextEnd;
      }
      runs.push({ run: parts.join(""), source: start });
    }
    done = end;
    at = end;
  }
  return runs;
}

function looksEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(run.slice(0, 200));
}

export const HEX = alphabet(/[0-9a-fA-F]/, 32);

/** Text hidden in hexadecimal, from 32 digits. */
export function decodeHex(text: string): Fragment[] {
  return joinedRuns(text, HEX).flatMap(({ run, source }) => {
    if (run.length < 32 || run.length % 2 !== 0) return [];
    const decoded = readableText(Buffer.from(run, "hex"));
    return decoded === null ? [] : [{ view: "hex-decoded" as const, text: decoded, source }];
  });
}

/** Decoded bytes as text, or null when they are not readable text. */
export function readableText(bytes: Uint8Array): string | null {
  const text = isWide(bytes) ? new TextDecoder("utf-16le").decode(bytes) : decodeText(bytes);
  if (text === null || text.length < 6) return null;
  let readable = 0;
  for (const char of text) if (/[\t\n\r -~]/.test(char)) readable += 1;
  return readable / text.length >= 0.9 ? text : null;
}

function isWide(bytes: Uint8Array): boolean {
  if (bytes.length < 8 || bytes.length % 2 !== 0) return false;
  for (let at = 1; at < bytes.length; at += 2) if (bytes[at] !== 0) return false;
  return true;
}

/** A piece of decoded text. `source` is its offset in the file; `lineSources` gives the offset of each line. */
export type Fragment = { view: ScanView; text: string; source: number; lineSources?: number[] };

export function sourceAt({ text, source, lineSources }: Fragment, offset: number): number {
  if (lineSources === undefined) return source;
  let line = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return lineSources[Math.min(line, lineSources.length - 1)] ?? source;
}
