/** Calls `take` for every occurrence of a hint in a text, case-insensitive in ASCII, in the order of their ends. */
export type HintFinder = (text: string, take: (id: number, start: number, end: number) => void) => void;

/** Non-ASCII letters that match these in case-insensitive patterns. */
const FOLDED: [number, string][] = [
  [0x17f, "s"],
  [0x212a, "k"],
];

/** Builds an Aho-Corasick automaton over lower-case texts, which takes one pass for all; the ids are their indexes. */
export function createHintFinder(hints: readonly string[]): HintFinder {
  const { classOf, wide, classes } = classify(hints);
  const size = hints.join("").length + 1;
  if (size > 65_536) throw new Error("Too many hints for numbers of 16 bits");
  // Of the size that texts without a common beginning would need: arrays of thousands of nodes take tens of megabytes.
  const next = new Uint16Array(size * classes);
  const ends: (number[] | undefined)[] = [[]];
  for (const [id, hint] of hints.entries()) {
    let node = 0;
    for (const char of hint.split("")) {
      const at = node * classes + (classOf[char.charCodeAt(0)] ?? wide.get(char.charCodeAt(0)) ?? 0);
      if (next[at] === 0) {
        next[at] = ends.length;
        ends.push(undefined);
      }
      node = next[at] ?? 0;
    }
    ends[node] = [...(ends[node] ?? []), id];
  }
  const table = next.slice(0, ends.length * classes);
  linkFailures(table, ends, classes);
  const lengths = hints.map((hint) => hint.length);
  const hasEnd = Uint8Array.from(ends, (ids) => (ids !== undefined && ids.length > 0 ? 1 : 0));
  return (text, take) => {
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const symbol = (code < 128 ? classOf[code] : wide.get(code)) ?? 0;
      node = table[node * classes + symbol] ?? 0;
      if (hasEnd[node] !== 1) continue;
      for (const id of ends[node] ?? []) take(id, at + 1 - (lengths[id] ?? 0), at + 1);
    }
  };
}

/** Numbers the code units of the hints: those of ASCII in `classOf`, the others in `wide`. 0 is every other one. */
function classify(hints: readonly string[]): { classOf: Uint8Array; wide: Map<number, number>; classes: number } {
  const classOf = new Uint8Array(128);
  const wide = new Map<number, number>();
  let classes = 1;
  for (const unit of new Set(hints.join("").split(""))) {
    if (unit.charCodeAt(0) > 127) wide.set(unit.charCodeAt(0), classes);
    else for (const one of [unit, unit.toUpperCase()]) classOf[one.charCodeAt(0)] = classes;
    classes += 1;
  }
  for (const [point, letter] of FOLDED) wide.set(point, classOf[letter.charCodeAt(0)] ?? 0);
  return { classOf, wide, classes };
}

function linkFailures(table: Uint16Array, ends: (number[] | undefined)[], classes: number): void {
  const failure = new Int32Array(ends.length);
  const queue: number[] = [];
  for (let symbol = 0; symbol < classes; symbol += 1) {
    const child = table[symbol] ?? 0;
    if (child !== 0) queue.push(child);
  }
  for (const node of queue) {
    for (let symbol = 0; symbol < classes; symbol += 1) {
      const at = node * classes + symbol;
      const child = table[at] ?? 0;
      const fallback = table[(failure[node] ?? 0) * classes + symbol] ?? 0;
      if (child === 0) {
        table[at] = fallback;
        continue;
      }
      failure[child] = fallback;
      const more = ends[fallback];
      if (more !== undefined && more.length > 0) ends[child] = [...(ends[child] ?? []), ...more];
      queue.push(child);
    }
  }
}

/** `exact`: the few texts that a part matches, and no others. `needed`: every match contains one text of each list. */
type Part = { exact: string[] | null; needed: string[][] };

const ANY: Part = { exact: null, needed: [] };
const EMPTY: Part = { exact: [""], needed: [] };
const MAX_EXACT = 24;

/** ASCII alone, because expressions that ignore case match more than one form of other letters; or any. */
type Letters = "ascii" | "any";

/**
 * Lists of texts: every match of an expression contains one text of each list. Groups, alternatives, small classes and
 * quantifiers of RE2 and of JavaScript are read; what looks around, and what is unknown, is taken as nothing.
 */
export function neededBy(source: string, letters: Letters = "ascii"): string[][] {
  const reader = { source, at: 0, known: letters === "any" ? /^[^\p{Cc}]*$/u : /^[ -~]*$/ };
  const part = readAlternatives(reader);
  return reader.at < source.length ? [] : closed(part).map(withoutLonger);
}

/** The list of `neededBy` whose texts occur least often, or null. */
export function hintsOf(source: string, letters?: Letters): string[] | null {
  return rarest(neededBy(source, letters));
}

/** `known`: texts of the letters that are read. */
type Reader = { source: string; at: number; known: RegExp };

function readAlternatives(reader: Reader): Part {
  const parts = [readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    parts.push(readSequence(reader));
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const exact = parts.flatMap((part) => part.exact ?? []);
  if (parts.every((part) => part.exact !== null) && exact.length <= MAX_EXACT) return { exact, needed: [] };
  const lists = parts.map((part) => rarest(closed(part)));
  return { exact: null, needed: lists.every((list) => list !== null) ? [lists.flat()] : [] };
}

function readSequence(reader: Reader): Part {
  let exact: string[] = [""];
  let isExact = true;
  const needed: string[][] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? "")) {
    const part = quantified(reader, readPart(reader));
    const endings = part.exact;
    if (endings !== null && exact.length * endings.length <= MAX_EXACT) {
      exact = exact.flatMap((start) => endings.map((end) => start + end));
      continue;
    }
    isExact = false;
    needed.push(...closed({ exact, needed: [] }), ...part.needed);
    exact = endings ?? [""];
  }
  return isExact ? { exact, needed: [] } : { exact: null, needed: [...needed, ...closed({ exact, needed: [] })] };
}

/** What a part needs. An empty text says nothing. */
function closed({ exact, needed }: Part): string[][] {
  return exact === null || exact.includes("") ? needed : [...needed, exact];
}

/** By the shortest text, then by the number of texts. */
function rarest(lists: readonly string[][]): string[] | null {
  const shortest = (texts: string[]) => Math.min(...texts.map((text) => text.length), 6);
  return lists.toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0] ?? null;
}

function readPart(reader: Reader): Part {
  const { source } = reader;
  const char = source[reader.at] ?? "";
  reader.at += 1;
  if (char === "(") return readGroup(reader);
  if (char === "[") return readClass(reader);
  if (char === "\\") return readEscape(reader);
  if (char === ".") return ANY;
  if (char === "^" || char === "$") return EMPTY;
  return literal(char, reader);
}

function readGroup(reader: Reader): Part {
  const kind = /^\?(?:[a-z-]*:|[=!]|<[=!]|P?<\w+>)/.exec(reader.source.slice(reader.at, reader.at + 40))?.[0] ?? "";
  reader.at += kind.length;
  const inner = readAlternatives(reader);
  reader.at += 1;
  return /[=!]$/.test(kind) ? EMPTY : inner;
}

function readClass(reader: Reader): Part {
  const { source } = reader;
  const start = reader.at;
  while (reader.at < source.length && source[reader.at] !== "]") reader.at += source[reader.at] === "\\" ? 2 : 1;
  const inner = source.slice(start, reader.at);
  reader.at += 1;
  return /^\^|.-.|\\/.test(inner) || inner.length > 4 || !reader.known.test(inner)
    ? ANY
    : { exact: [...inner], needed: [] };
}

function readEscape(reader: Reader): Part {
  const char = reader.source[reader.at] ?? "";
  const code = /^(?:x[\da-f]{2}|u[\da-f]{4}|[xu]\{[\da-f]+\})/i.exec(
    reader.source.slice(reader.at, reader.at + 10),
  )?.[0];
  const property = /^[pP]\{[^}]*\}/.exec(reader.source.slice(reader.at, reader.at + 40))?.[0];
  reader.at += (code ?? property ?? char).length;
  if (code !== undefined) return literal(String.fromCodePoint(Number.parseInt(code.replace(/^.\{?/, ""), 16)), reader);
  if (char === "b" || char === "B") return EMPTY;
  return /[a-z\d]/i.test(char) ? ANY : literal(char, reader);
}

function literal(char: string, { known }: Reader): Part {
  return known.test(char) ? { exact: [char], needed: [] } : ANY;
}

function quantified(reader: Reader, part: Part): Part {
  const mark = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at, reader.at + 16));
  if (mark === null) return part;
  reader.at += mark[0].length;
  const least = mark[1] === undefined ? (mark[0].startsWith("+") ? 1 : 0) : Number(mark[1]);
  if (mark[0].startsWith("?")) return part.exact === null ? ANY : { exact: [...part.exact, ""], needed: [] };
  return least === 0 ? ANY : { exact: null, needed: closed(part) };
}

/** A text that contains another one of the list adds nothing. */
function withoutLonger(texts: string[]): string[] {
  const all = [...new Set(texts)];
  return all.filter((text) => !all.some((other) => other !== text && text.includes(other)));
}
