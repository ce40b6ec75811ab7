import { ALL_RULES } from "../rules/all-rules";
import { type Fragment, sourceAt } from "./encoded-text";
import { createHintFinder, hintsOf } from "./hints";
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

const AROUND_CHARS = 400;
const LINE_CHARS = 1_000;
const LINES = 2;
/** `limitHits` counts the rest; positions of thousands of matches are not worth keeping. */
const MAX_COLLECTED = 4 * MAX_HITS;

/** What is tried only where one of its hints is: a pattern, or a rule that says what its findings need. */
type Owner = Pattern | Rule;
/** A text with the places of the hints of all that can match in it, and the rules of these. */
export type SearchText = Fragment & { places: Map<Owner, number[][]>; rules: Set<Rule> };

type Hinted = { owner: Owner; rule: Rule; hints: string[] };

const HINTED = ALL_RULES.flatMap((rule): Hinted[] => [
  ...(rule.onlyWith === undefined ? [] : [{ owner: rule, rule, hints: hintsOfAny(rule.onlyWith) }]),
  ...(rule.patterns ?? []).map((pattern) => ({ owner: pattern, rule, hints: pattern.hints })),
]);
const HINTS = [...new Set(HINTED.flatMap(({ hints }) => hints))];
const findHints = createHintFinder(HINTS);
/** By hint. */
const OWNERS = HINTS.map((hint) => HINTED.filter(({ hints }) => hints.includes(hint)));

const ASKED_ALWAYS = new Set(ALL_RULES.filter(({ checkFile, onlyWith }) => checkFile && onlyWith === undefined));

function hintsOfAny(expressions: readonly RegExp[]): string[] {
  return expressions.flatMap(({ source }) => {
    const hints = hintsOf(source);
    if (hints === null) throw new Error(`No word is in every match of ${source}`);
    return hints.map((hint) => hint.toLowerCase());
  });
}

/** Each hint of a file and of its decoded fragments is found in one pass. */
export function prepareTexts(file: ScanFile, fragments: Fragment[]): SearchText[] {
  const source: Fragment = { view: "source", text: file.text, source: 0 };
  return [source, ...fragments].map((fragment) => ({ ...fragment, ...placesIn(fragment.text) }));
}

/** Whether a rule can find something in a file: most have no hint in it. */
export function mayFind(rule: Rule, texts: SearchText[]): boolean {
  return ASKED_ALWAYS.has(rule) || texts.some(({ rules }) => rules.has(rule));
}

/** Whether `checkFile` of a rule can find something in a file. */
export function mayCheck(rule: Rule, [source]: SearchText[]): boolean {
  return rule.onlyWith === undefined || source?.places.has(rule) === true;
}

function placesIn(text: string): Pick<SearchText, "places" | "rules"> {
  const found = new Map<number, number[]>();
  findHints(text, (id, start) => {
    const known = found.get(id);
    if (known === undefined) found.set(id, [start]);
    else known.push(start);
  });
  const places = new Map<Owner, number[][]>();
  const rules = new Set<Rule>();
  for (const [id, list] of found) {
    for (const { owner, rule } of OWNERS[id] ?? []) {
      rules.add(rule);
      const lists = places.get(owner);
      if (lists === undefined) places.set(owner, [list]);
      else lists.push(list);
    }
  }
  return { places, rules };
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
    if (!searched.rules.has(rule)) continue;
    const budget = { leftChars: MAX_CLOSE_CHARS };
    for (const pattern of rule.patterns ?? []) {
      if (!searched.places.has(pattern)) continue;
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
  const { text, places, view } = searched;
  const { pattern: compiled, needs } = compileRulePattern(pattern.re);
  const near = findRegions(text, places.get(pattern) ?? [], pattern.lines ?? LINES);
  for (const { start, end } of near) work.leftChars -= end - start;
  const regions = near.filter(({ start, end }) => {
    const part = text.slice(start, end);
    return needs.every((need) => need.test(part));
  });
  if (regions.length === 0) return true;
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
