const MAX_CALL_CHARS = 4_000;
const MAX_CALLS = 100;

/** The parts of a call as they are written; nothing is evaluated. */
export type Call = { index: number; args: string[]; named: Map<string, string> };

const CLOSING: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** All calls whose name, up to and with the bracket, fits `start`, which has the flag g. */
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

/** The parts of a literal in brackets: list items, or the fields of an object. */
export function readBrackets(raw: string): string[] | null {
  const text = raw.trim();
  return /^[[({]/.test(text) ? splitParts(text, 1) : null;
}

/** The fields of an object literal of JavaScript, or of a dictionary. */
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

/** What stands between an opened bracket and its closing one, cut at the commas; null when it does not close. */
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

/** Where a comment ends that begins here; null when none does. */
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
