import { sha256Hex } from "@/lib/core/hash";
import { MAX_CHECKED, MAX_EQUAL, MAX_HITS, MAX_SHOWN_CHARS } from "./limits";
import type { Hit, Rule } from "./rule";
import type { ScanFile } from "./scan-file";
import type { Finding, RuleInfo, ScanView, Severity } from "./schema";

/** Characters without a visible shape and direction controls, except the space. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself, not combined with the character before it.
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{A0}\u{1680}\u{2000}-\u{200A}\u{202F}\u{205F}\u{3000}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{115F}\u{1160}\u{3164}\u{FFA0}\u{2800}\u{180B}-\u{180F}\u{034F}]/gu;

const ORDER: Severity[] = ["critical", "high", "medium", "info"];

/** A file that could not be read; `text` is the reason. */
export type Unread = { path: string; text: string };

type Limited = Omit<Finding, "fingerprint">;

/**
 * Sorts findings for reading, keeps one per rule and line and at most 10 per rule and file; the last one counts the
 * rest. Prefers findings in the source to the same ones in a decoded view.
 */
export function limitHits(findings: Omit<Limited, "more">[]): Limited[] {
  const places = new Map<string, Omit<Limited, "more">>();
  for (const finding of findings) {
    const key = `${finding.rule}\0${finding.path}\0${finding.line}`;
    const known = places.get(key);
    if (known === undefined || precedes(finding, known)) places.set(key, finding);
  }
  const repeats = countRepeats(findings, places.size);
  const listed: Limited[] = [];
  const counts = new Map<string, { last: Limited; count: number }>();
  for (const finding of [...places.values()].sort(compare)) {
    const key = `${finding.rule}\0${finding.path}`;
    const known = counts.get(key);
    if (known !== undefined && known.count >= MAX_HITS) {
      count(known.last, [finding]);
      continue;
    }
    const kept = { ...finding, more: 0 };
    listed.push(kept);
    counts.set(key, { last: kept, count: (known?.count ?? 0) + 1 });
  }
  for (const [key, more] of repeats) {
    const known = counts.get(key);
    if (known === undefined) continue;
    known.last.more += more;
    known.last.lineHash = "";
  }
  return joinEqual(listed);
}

/** Counts further matches with a finding. Their lines are lines of the finding, so that it is another one when they change. */
function count(finding: Limited, further: readonly { lineHash: string; more?: number }[]): void {
  const hashes = [finding, ...further].map(({ lineHash }) => lineHash);
  finding.more += further.reduce((sum, { more = 0 }) => sum + 1 + more, 0);
  finding.lineHash = hashes.includes("") ? "" : sha256Hex(hashes.join()).slice(0, 16);
}

/** More than 10 equal findings in a skill are one finding with a count, except files that were not scanned. */
function joinEqual(findings: Limited[]): Limited[] {
  if (findings.length <= MAX_EQUAL) return findings;
  const groups = new Map<string, Limited[]>();
  for (const finding of findings) {
    if (/^OBF-00[34]$/.test(finding.rule)) continue;
    const key = JSON.stringify([finding.rule, finding.severity, finding.view, finding.text]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const joined = new Set<Limited>();
  for (const group of groups.values()) {
    const [first, ...rest] = group;
    if (first === undefined || group.length <= MAX_EQUAL) continue;
    count(first, rest);
    for (const finding of rest) joined.add(finding);
  }
  return joined.size === 0 ? findings : findings.filter((finding) => !joined.has(finding));
}

/** Matches without text were only counted. */
function countRepeats(findings: Omit<Limited, "more">[], places: number): Map<string, number> {
  const repeats = new Map<string, number>();
  if (findings.length === places) return repeats;
  for (const { rule, path, text } of findings) {
    if (text !== "") continue;
    const key = `${rule}\0${path}`;
    repeats.set(key, (repeats.get(key) ?? 0) + 1);
  }
  return repeats;
}

function precedes(a: Omit<Limited, "more">, b: Omit<Limited, "more">): boolean {
  if (a.text === "" || b.text === "") return a.text !== "" && b.text === "";
  const bySeverity = ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity);
  if (bySeverity !== 0) return bySeverity < 0;
  return a.view === "source" && b.view !== "source";
}

function compare(a: Omit<Limited, "more">, b: Omit<Limited, "more">): number {
  return (
    ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
    order(a.path, b.path) ||
    a.line - b.line ||
    a.column - b.column ||
    order(a.rule, b.rule)
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Identity = { rule: string; path: string; view: string; text: string };

/** Adds identities that do not depend on the line; equal findings are numbered. */
export function addFingerprints<F extends Identity>(findings: F[]): (F & { fingerprint: string })[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const key = JSON.stringify([finding.rule, finding.path, finding.view, finding.text]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { ...finding, fingerprint: sha256Hex(before === 0 ? key : `${key}${before}`).slice(0, 32) };
  });
}

/** Without its bytes when they could not be read. */
type DraftedFile = Pick<ScanFile, "path"> & Partial<Pick<ScanFile, "text" | "bytes">>;

/** A finding about a whole file has all of its bytes as its lines; empty when they are not known. */
function hashLines(lines: string | Uint8Array | undefined): string {
  return lines === undefined ? "" : sha256Hex(lines).slice(0, 16);
}

/** The rule of what was not scanned. Here, so that who only waits for a scan does not load the others. */
export const NOT_SCANNED = {
  id: "OBF-004",
  version: 2,
  severity: "high",
  title: "Not fully scanned",
  why: "The scan reached a limit of time, size or encoding. The rest is unknown, not harmless.",
  owasp: ["ASI04"],
} satisfies RuleInfo;

/** The finding that a hit of a rule becomes. */
export function draftHit(
  rule: Pick<Rule, "id" | "version" | "severity" | "why" | "redact">,
  { start, end, text, severity }: Hit,
  file: DraftedFile,
  lines: LineIndex,
  view: ScanView = "source",
): Draft {
  const from = lines.at(start ?? 0);
  const to = view === "source" && start !== undefined ? lines.at(Math.max(start, (end ?? start) - 1)) : from;
  const exact = text ?? file.text?.slice(start ?? 0, end ?? start ?? 0) ?? "";
  return {
    ...{ rule: rule.id, ruleVersion: rule.version, severity: severity ?? rule.severity, path: file.path, ...from },
    ...(to.line > from.line ? { endLine: to.line } : {}),
    ...{ text: showText(rule.redact?.(exact) ?? exact), why: rule.why, view },
    lineHash: exact === "" ? "" : start === undefined ? hashLines(file.bytes) : lines.hash(from.line, to.line),
  };
}

/**
 * The first hit of each severity on a line, of at most 2,000 lines; `limitHits` lists no other. A hit without text says
 * that there are more.
 */
export function firstOnLines(hits: Iterable<Hit>, lines: LineIndex): Hit[] {
  if (Array.isArray(hits) && hits.length < 2) return hits;
  const kept: Hit[] = [];
  const known = new Map<Severity | undefined, { lines: Set<number>; start: number; isFull: boolean }>();
  for (const hit of hits) {
    const start = hit.start ?? 0;
    const { line } = lines.at(start);
    const same = known.get(hit.severity);
    if (same === undefined) known.set(hit.severity, { lines: new Set([line]), start, isFull: false });
    else if (same.isFull || same.lines.has(line)) continue;
    else if (same.lines.size === MAX_CHECKED) {
      same.isFull = true;
      kept.push({ ...hit, start: same.start, text: "" });
      continue;
    } else same.lines.add(line);
    kept.push(hit);
  }
  return kept;
}

/** Unread content must be a finding, never a pass. */
export function draftUnread(file: DraftedFile, text: string): Draft {
  return draftHit(NOT_SCANNED, { text }, file, indexLines(""));
}

/** The text of a finding: invisible characters as `\u{…}`, at most 300 characters, cut in the middle. */
function showText(text: string): string {
  const half = MAX_SHOWN_CHARS / 2 - 2;
  const cut =
    text.length > 2 * MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}${text.slice(-MAX_SHOWN_CHARS)}` : text;
  const shown = cut.replace(INVISIBLE, (char) => (char === "\n" ? "⏎" : char === "\t" ? "\t" : codePointOf(char)));
  return shown.length <= MAX_SHOWN_CHARS
    ? shown
    : `${shown.slice(0, half)} … ${shown.slice(-half)}`.replace(/\p{Cs}/gu, "");
}

function codePointOf(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

export type Draft = Omit<Finding, "fingerprint" | "more" | "raisedBy">;

/** Lines and columns count from 1. */
export type LineIndex = {
  at(offset: number): { line: number; column: number };
  /** The hash of lines, both included. */
  hash(first: number, last: number): string;
};

/** Characters of lines that are hashed again for each of their findings. */
const SHORT_CHARS = 1_000;

/** Finds lines and columns of offsets into a text. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // A long line may have hundreds of thousands of findings.
  const hashes = new Map<string, string>();
  return {
    hash(first, last) {
      const lines = text.slice(starts[first - 1], starts[last]);
      if (lines.length <= SHORT_CHARS) return hashLines(lines);
      const key = `${first} ${last}`;
      const known = hashes.get(key) ?? hashLines(lines);
      hashes.set(key, known);
      return known;
    },
    at(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}
