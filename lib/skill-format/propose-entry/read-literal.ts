import { readBrackets } from "./read-call";

const WORDS: Record<string, unknown> = { True: true, true: true, False: false, false: false, None: null, null: null };
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "" };
const MAX_PIECES = 50;

/** The value of a literal of Python or JavaScript; undefined for whatever would have to be evaluated. */
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

/** The value of a literal that is a text; undefined for anything else. */
export function readString(raw: string | undefined): string | undefined {
  const value = readLiteral(raw);
  return typeof value === "string" ? value : undefined;
}

/** One string, or several that the language joins. */
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
