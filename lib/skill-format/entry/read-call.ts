const MAX_CALL_CHARS = 4_000;
const MAX_CALLS = 100;

/** The source text of a call's arguments; nothing is evaluated. */
export type Call = { index: number; args: string[]; named: Map<string, string> };

const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** All calls that match `start` up to the opening parenthesis; `start` needs the flag g. */
export function readCalls(text: string, start: RegExp, separator: "=" | ":" = "="): Call[] {
  const calls: Call[] = [];
  let looked = 0;
  for (const match of text.matchAll(start)) {
    looked += 1;
    const open = match.index + match[0].length;
    const parts = splitParts(text, open);
    if (parts !== null) calls.push({ index: match.index, ...sortParts(parts, separator) });
    if (looked >= MAX_CALLS) break;
  }
  return calls;
}

export function readBrackets(raw: string): string[] | null {
  const text = raw.trim();
  return /^[[({]/.test(text) ? splitParts(text, 1) : null;
}

export function readFields(raw: string): Map<string, string> {
  return raw.trim().startsWith("{") ? sortParts(readBrackets(raw) ?? [], ":").named : new Map();
}

function sortParts(parts: string[], separator: "=" | ":"): Omit<Call, "index"> {
  const args: string[] = [];
  const named = new Map<string, string>();
  const name = separator === "=" ? /^([A-Za-z_]\w{0,99})\s*=(?!=)/ : /^["'`]?([A-Za-z_$][\w$-]{0,99})["'`]?\s*:/;
  for (const part of parts) {
    const match = name.exec(part);
    if (match?.[1] !== undefined) named.set(match[1], part.slice(match[0].length).trim());
    else if (part !== "") args.push(part);
  }
  return { args, named };
}

export function splitParts(text: string, from: number): string[] | null {
  const end = Math.min(text.length, from + MAX_CALL_CHARS);
  const parts: string[] = [];
  const open: string[] = [];
  let part = "";
  for (let at = from; at < end; ) {
    const char = text[at] ?? "";
    const skipped = commentEnd(text, at);
    if (skipped !== null) {
      at = skipped;
      continue;
    }
    if (char === '"' || char === "'" || char === "`") {
      const after = stringEnd(text, at);
      part += text.slice(at, after);
      at = after;
      continue;
    }
    if (open.length === 0 && /[)\]}]/.test(char)) return [...parts, part.trim()].filter((found) => found !== "");
    if (CLOSING[char] !== undefined) open.push(CLOSING[char]);
    else if (open.at(-1) === char) open.pop();
    if (char === "," && open.length === 0) {
      parts.push(part.trim());
      part = "";
    } else part += char;
    at += 1;
  }
  return null;
}

function commentEnd(text: string, at: number): number | null {
  if (text.startsWith("/*", at)) {
    const end = text.indexOf("*/", at + 2);
    return end === -1 ? text.length : end + 2;
  }
  if (text[at] !== "#" && !text.startsWith("//", at)) return null;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function stringEnd(text: string, at: number): number {
  const quote = text[at] ?? "";
  const triple = quote.repeat(3);
  const close = quote !== "`" && text.startsWith(triple, at) ? triple : quote;
  for (let next = at + close.length; next < text.length; next += 1) {
    if (text[next] === "\\") next += 1;
    else if (text.startsWith(close, next)) return next + close.length;
    else if (text[next] === "\n" && close.length === 1 && quote !== "`") return next;
  }
  return text.length;
}

const WORDS: Record<string, unknown> = { True: true, true: true, False: false, false: false, None: null, null: null };
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "" };
const MAX_PIECES = 50;

/** The value of a Python or JavaScript literal; undefined for expressions. */
export function readLiteral(raw: string | undefined, depth = 0): unknown {
  const text = raw?.trim() ?? "";
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  if (/^[+-]?\d[\d_]{0,14}(\.\d{1,15})?(e[+-]?\d{1,2})?$/i.test(text)) return Number(text.replaceAll("_", ""));
  if (/^[[(]/.test(text)) {
    if (depth > 2) return undefined;
    const items = (readBrackets(text) ?? []).map((part) => readLiteral(part, depth + 1));
    if (text.startsWith("(") && items.length === 1 && !/,\s*\)$/.test(text)) return items[0];
    return items.includes(undefined) ? undefined : items;
  }
  return readText(text);
}

export function readString(raw: string | undefined): string | undefined {
  const value = readLiteral(raw);
  return typeof value === "string" ? value : undefined;
}

function readText(text: string): string | undefined {
  let rest = text;
  let value = "";
  for (let piece = 0; piece < MAX_PIECES; piece += 1) {
    const match = /^([rRuU]?)("""|'''|"|'|`)/.exec(rest);
    if (match === null) return undefined;
    const [start, prefix = "", quote = ""] = match;
    const end = closingOf(rest, start.length, quote);
    if (end === null) return undefined;
    const inner = rest.slice(start.length, end);
    if (quote === "`" && inner.includes("${")) return undefined;
    value += /r/i.test(prefix) ? inner : inner.replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
    rest = rest.slice(end + quote.length).replace(/^\s*\+?\s*/, "");
    if (rest === "") return value;
  }
  return undefined;
}

function closingOf(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at;
  }
  return null;
}
