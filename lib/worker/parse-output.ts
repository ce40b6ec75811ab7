import { isUtf8 } from "node:buffer";

const MAX_DEPTH = 64;

export type ParsedOutput = { ok: true; value: unknown } | { ok: false; message: string };

/** Reads stdout as exactly one JSON value, UTF-8, at most 64 levels deep; otherwise says which of these it is not. */
export function parseOutput(bytes: Buffer): ParsedOutput {
  if (!isUtf8(bytes)) return refuse("is not valid UTF-8");
  const text = bytes.toString("utf8");
  if (/^[ \t\r\n]*$/.test(text)) return refuse("is empty");
  if (text.startsWith("\ufeff")) return refuse("starts with a byte order mark");
  const value = parseJson(text);
  if (value === undefined) return refuse(explain(text));
  return findExcess(value) ?? { ok: true, value };
}

function refuse(problem: string): { ok: false; message: string } {
  return { ok: false, message: `stdout ${problem}; exactly one JSON value is expected.` };
}

/** `undefined` is no JSON value, so it can stand for a failed parse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is wrong with it is worked out by `explain`, in words that do not change with the Node release.
    return undefined;
  }
}

function explain(text: string): string {
  const end = findJsonEnd(text);
  const isFirstValid = end !== null && parseJson(text.slice(0, end)) !== undefined;
  if (isFirstValid) {
    const rest = text.slice(end).trim();
    const next = findJsonEnd(rest);
    return next !== null && parseJson(rest.slice(0, next)) !== undefined
      ? "holds more than one JSON value"
      : `has text after its JSON value (${quote(rest)})`;
  }
  const outsideStrings = text.slice(0, 65_536).replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const constant = /\b(?:NaN|Infinity)\b/.exec(outsideStrings)?.[0];
  if (constant) return `is not JSON: ${constant} is no JSON value`;
  return end === null ? `is not JSON: it is cut off (${quote(text)})` : `is not JSON (${quote(text.trimStart())})`;
}

function quote(text: string): string {
  const start = text.slice(0, 60);
  return `it begins with ${JSON.stringify(start)}${text.length > start.length ? "…" : ""}`;
}

function findExcess(value: unknown): { ok: false; message: string } | null {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (typeof next.value === "number" && !Number.isFinite(next.value)) {
      return refuse("holds a number beyond the range of a double (about 1.8e308)");
    }
    if (next.value === null || typeof next.value !== "object") continue;
    if (next.depth > MAX_DEPTH) return refuse(`is nested deeper than ${MAX_DEPTH} levels`);
    for (const inner of Object.values(next.value)) waiting.push({ value: inner, depth: next.depth + 1 });
  }
  return null;
}

/**
 * Where the JSON value at the start of a text ends, judged by brackets and quotes alone (the part may still be invalid).
 * Null when a bracket or a quote stays open.
 */
function findJsonEnd(text: string): number | null {
  const start = text.search(/[^ \t\r\n]/);
  if (start === -1) return null;
  const first = text.charAt(start);
  if (first === '"') return skipString(text, start);
  if (first === "{" || first === "[") return skipNested(text, start);
  const length = text.slice(start).search(/[\s,{}[\]"]/);
  return length === -1 ? text.length : start + Math.max(1, length);
}

function skipNested(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = skipString(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return null;
}

function skipString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return null;
}
