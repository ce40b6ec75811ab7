import { decodeText } from "@/lib/skill-format/archive/decode-text";
import type { ScanView } from "./schema";

const MIN_CHARS = 20;
export const BASE64: Alphabet = { first: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}/g, rest: /[A-Za-z0-9+/_-]+/y };
/** Separators within one encoded text: a line break, or the ends of two string literals. */
const JOINT = /["'`]?[ \t]{0,3}[+\\,.]?[ \t]{0,3}\r?\n[ \t]{0,40}["'`]?|["'] {0,3}\+ {0,3}["']/y;
const FULL_LINE = 40;

type Alphabet = { first: RegExp; rest: RegExp };

/** Text hidden in base64 (both alphabets; wrapped lines and concatenated literals joined), from 20 characters. */
export function decodeBase64(text: string): Fragment[] {
  return joinedRuns(text, BASE64).flatMap(({ run, source }) => {
    if (run.length < MIN_CHARS || !looksEncoded(run)) return [];
    const decoded = readableText(Buffer.from(run, "base64"));
    return decoded === null ? [] : [{ view: "base64-decoded" as const, text: decoded, source }];
  });
}

/** Finds the runs of characters of an alphabet. A run of 40 characters or more continues after a separator. */
export function joinedRuns(text: string, { first, rest }: Alphabet): { run: string; source: number }[] {
  const runs: { run: string; source: number }[] = [];
  const start = new RegExp(first);
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const parts = [match[0]];
    let end = start.lastIndex;
    while ((parts.at(-1)?.length ?? 0) >= FULL_LINE) {
      JOINT.lastIndex = end;
      if (!JOINT.test(text)) break;
      rest.lastIndex = JOINT.lastIndex;
      const more = rest.exec(text)?.[0];
      if (more === undefined) break;
      parts.push(more);
      end = rest.lastIndex;
    }
    start.lastIndex = end;
    runs.push({ run: parts.join(""), source: match.index });
  }
  return runs;
}

function looksEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && !/^[a-z]+(?:[A-Z][a-z]+)*$/.test(run.slice(0, 200));
}

export const HEX = { first: /(?<![0-9a-fA-F])[0-9a-fA-F]{32,}/g, rest: /[0-9a-fA-F]+/y };

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
