import { sha256Hex } from "@/lib/core/hash";
import { MAX_EQUAL, MAX_HITS } from "./limits";
import type { Finding, Severity } from "./schema";

const ORDER: Severity[] = ["critical", "high", "medium", "info"];

type Limited = Omit<Finding, "fingerprint">;

/**
 * Sorts findings for reading, keeps one per rule and line and at most 10 per rule and file; the last one counts the
 * rest. Prefers findings in the source to the same ones in a decoded view.
 */
export function limitHits(findings: Omit<Limited, "more">[]): Limited[] {
  const places = new Map<string, Omit<Limited, "more">>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.path, finding.line]);
    const known = places.get(key);
    if (known === undefined || precedes(finding, known)) places.set(key, finding);
  }
  const repeats = countRepeats(findings, places.size);
  const listed: Limited[] = [];
  const counts = new Map<string, { last: Limited; count: number }>();
  for (const finding of [...places.values()].sort(compare)) {
    const key = JSON.stringify([finding.rule, finding.path]);
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
    const key = JSON.stringify([rule, path]);
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
