import { ALL_RULES } from "../rules/all-rules";
import { type Fragment, sourceAt } from "./encoded-text";
import { MAX_CLOSE_CHARS, MAX_HITS } from "./limits";
import {
  compileRulePattern,
  countMatchingChunks,
  findRegions,
  lastBreak,
  matchPattern,
  nextBreak,
  type RawMatch,
} from "./match-pattern";
import type { Hit, Match, Pattern, Rule } from "./rule";
import { isInRanges, type ScanFile } from "./scan-file";
import type { ScanView } from "./schema";

/** Finds every occurrence of a fixed set of short texts, case-insensitive, in one pass. */
type HintFinder = (text: string) => number[][];

/** Non-ASCII letters that match these in case-insensitive patterns. */
const FOLDED: [number, string][] = [
  [0x17f, "s"],
  [0x212a, "k"],
];

const AROUND_CHARS = 400;
const LINE_CHARS = 1_000;
const LINES = 2;
/** `limitHits` counts the rest; positions of thousands of matches are not worth keeping. */
const MAX_COLLECTED = 4 * MAX_HITS;

export type SearchText = Fragment & { hints: number[][] };

const NO_PLACES: number[] = [];
const HINTS = [...new Set(ALL_RULES.flatMap((rule) => (rule.patterns ?? []).flatMap(({ hints }) => hints)))];
const HINT_IDS = new Map(HINTS.map((hint, id) => [hint, id]));
const findHints = createHintFinder(HINTS);
const idsOf = (pattern: Pattern) => pattern.hints.map((hint) => HINT_IDS.get(hint) ?? -1);
const PATTERN_IDS = new Map<Pattern, number[]>(
  ALL_RULES.flatMap((rule) => (rule.patterns ?? []).map((pattern) => [pattern, idsOf(pattern)] as const)),
);

export function prepareTexts(file: ScanFile, fragments: Fragment[]): SearchText[] {
  const source: Fragment = { view: "source", text: file.text, source: 0 };
  return [source, ...fragments].map((fragment) => ({ ...fragment, hints: findHints(fragment.text) }));
}

/** Characters that patterns may still be tried on. */
export type Work = { leftChars: number };

/**
 * Applies a rule's patterns to a file and its decoded fragments, and takes what it costs from `work`. Returns false when
 * a pattern exceeded its budget.
 */
export function runPatterns(
  rule: Rule,
  file: ScanFile,
  texts: SearchText[],
  take: (hit: Hit, view: ScanView) => void,
  work: Work = { leftChars: Number.POSITIVE_INFINITY },
): boolean {
  let finished = true;
  for (const searched of rule.decoded === false ? texts.slice(0, 1) : texts) {
    const budget = { leftChars: MAX_CLOSE_CHARS };
    for (const pattern of rule.patterns ?? []) {
      finished = runPattern(pattern, file, searched, { budget, work }, take) && finished;
    }
  }
  return finished;
}

function runPattern(
  pattern: Pattern,
  file: ScanFile,
  searched: SearchText,
  { budget, work }: { budget: { leftChars: number }; work: Work },
  take: (hit: Hit, view: ScanView) => void,
): boolean {
  const { text, hints, view } = searched;
  const ids = PATTERN_IDS.get(pattern) ?? idsOf(pattern);
  if (!ids.some((id) => (hints[id]?.length ?? 0) > 0)) return true;
  const regions = findRegions(
    text,
    ids.map((id) => hints[id] ?? NO_PLACES),
    pattern.lines ?? LINES,
  );
  if (regions.length === 0) return true;
  for (const { start, end } of regions) work.leftChars -= end - start;
  const compiled = compileRulePattern(pattern.re);
  const isSource = view === "source";
  let taken = 0;
  let lastEnd = 0;
  const collect = (raw: RawMatch) => {
    const weight = pattern.weigh?.(describeMatch(raw, file, searched)) ?? true;
    if (weight === false) return true;
    const severity = weight === true ? {} : { severity: weight };
    const hit = isSource ? { start: raw.start, end: raw.end } : { start: sourceAt(searched, raw.start) };
    take({ ...hit, ...severity, text: text.slice(raw.start, raw.end) }, view);
    taken += 1;
    lastEnd = raw.end;
    return taken < MAX_COLLECTED;
  };
  const outcome = matchPattern(compiled, text, collect, regions, budget);
  if (outcome === "stopped") {
    const rest = Math.min(1_000, countMatchingChunks(compiled, text, lastEnd));
    for (let at = 0; at < rest; at += 1)
      take({ start: isSource ? lastEnd : sourceAt(searched, lastEnd), text: "" }, view);
  }
  return outcome !== "overrun";
}

function describeMatch({ start, end, groups }: RawMatch, file: ScanFile, searched: SearchText): Match {
  const { text, view } = searched;
  const floor = Math.max(0, start - LINE_CHARS);
  const ceiling = Math.min(text.length, end + LINE_CHARS);
  const before = lastBreak(text, start - 1, floor);
  const after = nextBreak(text, end, ceiling);
  const lineStart = before === -1 ? floor : before + 1;
  const lineEnd = after === -1 ? ceiling : after;
  return {
    text: text.slice(start, end),
    groups,
    line: text.slice(lineStart, lineEnd),
    before: text.slice(Math.max(0, start - AROUND_CHARS), start),
    after: text.slice(end, end + AROUND_CHARS),
    file,
    view,
    inCode:
      view === "base64-decoded" ||
      view === "hex-decoded" ||
      isInRanges(file.codeRanges, view === "source" ? start : sourceAt(searched, start)),
  };
}

/** Builds an Aho-Corasick automaton over lower-case ASCII texts; results are in the order of `hints`. */
export function createHintFinder(hints: string[]): HintFinder {
  const { classOf, classes } = classify(hints);
  const next: number[][] = [new Array<number>(classes).fill(-1)];
  const ends: number[][] = [[]];
  hints.forEach((hint, id) => {
    let node = 0;
    for (const char of hint) {
      const symbol = classOf[char.charCodeAt(0)] ?? 0;
      const row = next[node] ?? [];
      if ((row[symbol] ?? -1) === -1) {
        row[symbol] = next.length;
        next.push(new Array<number>(classes).fill(-1));
        ends.push([]);
      }
      node = row[symbol] ?? 0;
    }
    ends[node]?.push(id);
  });
  linkFailures(next, ends, classes);
  const table = Int32Array.from(next.flat());
  const lengths = hints.map((hint) => hint.length);
  const hasEnd = Uint8Array.from(ends, (ids) => (ids.length > 0 ? 1 : 0));
  return (text) => {
    const found = new Array<number[]>(hints.length).fill(NO_PLACES);
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const symbol = code < 128 ? (classOf[code] ?? 0) : foldedClass(code, classOf);
      node = table[node * classes + symbol] ?? 0;
      if (hasEnd[node] !== 1) continue;
      for (const id of ends[node] ?? []) {
        const place = at + 1 - (lengths[id] ?? 0);
        const known = found[id];
        if (known === undefined || known.length === 0) found[id] = [place];
        else known.push(place);
      }
    }
    return found;
  };
}

function classify(hints: string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(128);
  let classes = 1;
  for (const char of new Set(hints.join(""))) {
    classOf[char.charCodeAt(0)] = classes;
    classOf[char.toUpperCase().charCodeAt(0)] = classes;
    classes += 1;
  }
  return { classOf, classes };
}

function foldedClass(code: number, classOf: Uint8Array): number {
  for (const [point, letter] of FOLDED) if (code === point) return classOf[letter.charCodeAt(0)] ?? 0;
  return 0;
}

function linkFailures(next: number[][], ends: number[][], classes: number): void {
  const failure = new Array<number>(next.length).fill(0);
  const queue: number[] = [];
  for (let symbol = 0; symbol < classes; symbol += 1) {
    const child = next[0]?.[symbol] ?? -1;
    if (child === -1) {
      if (next[0]) next[0][symbol] = 0;
    } else queue.push(child);
  }
  for (const node of queue) {
    for (let symbol = 0; symbol < classes; symbol += 1) {
      const child = next[node]?.[symbol] ?? -1;
      const fallback = next[failure[node] ?? 0]?.[symbol] ?? 0;
      if (child === -1) {
        const row = next[node];
        if (row) row[symbol] = fallback;
        continue;
      }
      failure[child] = fallback;
      ends[child]?.push(...(ends[fallback] ?? []));
      queue.push(child);
    }
  }
}
