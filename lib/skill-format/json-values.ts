import type { JsonObject } from "./schema";

export function isMapping(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; null when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Keys that can reach an object's prototype; they never enter a manifest. */
export function isDangerousKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

/** Replaces NUL and lone surrogates, which PostgreSQL refuses, by U+FFFD. */
export function storableText(text: string): string {
  // The cheap test comes first, because most texts have no surrogates.
  return SUSPECT.test(text) ? text.replace(/\0|\p{Surrogate}/gu, "\ufffd") : text;
}

const SUSPECT = /[\0\ud800-\udfff]/;

export type StrictJson =
  | { ok: true; value: unknown; droppedKeys: string[] }
  | { ok: false; line: number; message: string };

const MAX_DEPTH = 64;

/**
 * Reads JSON (RFC 8259); errors have a line. Refuses repeated keys, which readers interpret differently, and more than
 * 64 levels; drops and lists keys such as `__proto__`. Never throws.
 */
export function parseJsonStrict(text: string): StrictJson {
  const reader = { text, at: 0, droppedKeys: [] };
  try {
    const value = readValue(reader, 0);
    skipBlank(reader);
    if (reader.at < text.length) fail(reader, "there is text after the end");
    return { ok: true, value, droppedKeys: reader.droppedKeys };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { ok: false, line: text.slice(0, error.at).split("\n").length, message: error.message };
  }
}

type Reader = { text: string; at: number; droppedKeys: string[] };

class JsonProblem extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function fail(reader: Reader, message: string): never {
  throw new JsonProblem(message, reader.at);
}

function readValue(reader: Reader, depth: number): unknown {
  skipBlank(reader);
  if (depth > MAX_DEPTH) fail(reader, `it is nested deeper than ${MAX_DEPTH} levels`);
  const char = reader.text[reader.at];
  if (char === "{") return readObject(reader, depth);
  if (char === "[") return readArray(reader, depth);
  if (char === '"') return readString(reader);
  const [token] = matchAt(reader, /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y) ?? [];
  if (token === undefined) fail(reader, char === undefined ? "it ends too early" : `"${char}" is unexpected`);
  reader.at += token.length;
  return JSON.parse(token);
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const seen = new Set<string>();
  readItems(reader, "}", () => {
    if (reader.text[reader.at] !== '"') fail(reader, "a key in double quotes is missing");
    const start = reader.at;
    const key = readString(reader);
    if (seen.has(key)) throw new JsonProblem(`the key "${key}" appears twice`, start);
    seen.add(key);
    skipBlank(reader);
    if (reader.text[reader.at] !== ":") fail(reader, 'a ":" is missing');
    reader.at += 1;
    const value = readValue(reader, depth + 1);
    if (isDangerousKey(key)) reader.droppedKeys.push(key);
    else object[key] = value;
  });
  return object;
}

function readArray(reader: Reader, depth: number): unknown[] {
  const items: unknown[] = [];
  readItems(reader, "]", () => items.push(readValue(reader, depth + 1)));
  return items;
}

function readItems(reader: Reader, close: string, readItem: () => void): void {
  reader.at += 1;
  skipBlank(reader);
  if (reader.text[reader.at] === close) {
    reader.at += 1;
    return;
  }
  for (;;) {
    skipBlank(reader);
    readItem();
    skipBlank(reader);
    const char = reader.text[reader.at];
    if (char !== "," && char !== close) {
      fail(reader, char === undefined ? "it ends too early" : `a "," or "${close}" is missing`);
    }
    reader.at += 1;
    if (char === close) return;
  }
}

function readString(reader: Reader): string {
  const [token] = matchAt(reader, /"(?:[^"\\]|\\.)*"/sy) ?? [];
  if (token === undefined) fail(reader, "a text is not closed");
  try {
    const text: string = JSON.parse(token);
    reader.at += token.length;
    return storableText(text);
  } catch {
    // Only invalid escapes and control characters remain.
    return fail(reader, "a text has an unknown escape, or a character that must be escaped");
  }
}

function skipBlank(reader: Reader): void {
  reader.at += matchAt(reader, /[ \t\r\n]*/y)?.[0].length ?? 0;
}

function matchAt(reader: Reader, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = reader.at;
  return sticky.exec(reader.text);
}
