import { rulesVersion } from "@/lib/review/rules/all-rules";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { mayFlow, speaks } from "../flow/find-flows";
import { indexNames, linkedFiles } from "../flow/linked-files";
import { ALL_RULES } from "../rules/all-rules";
import { textKindsOf } from "../rules/obfuscation";
import { decodeViews } from "./decode-views";
import {
  addFingerprints,
  type Draft,
  draftHit,
  draftUnread,
  firstOnLines,
  indexLines,
  type LineIndex,
  limitHits,
  type Unread,
} from "./findings";
import { FILE_WORK_CHARS, MAX_FOLLOWED_CHARS, SKILL_WORK_CHARS } from "./limits";
import type { Hit } from "./rule";
import { mayCheck, mayFind, prepareTexts, runPatterns, type Work } from "./run-patterns";
import { hiddenTexts, inScanOrder, openScanFile, type ScanFile, type ScanSkill } from "./scan-file";
import type { Finding, ScanResult, ScanView, Severity } from "./schema";

type Raised = Draft & Pick<Finding, "raisedBy">;

/** Raises a finding that matches `from` when another one matches `with`. */
const CHAINS: { from: RegExp; with: RegExp; to: Severity; at: (draft: Draft) => boolean; sameFile?: true }[] = [
  { from: /^EXF-003/, with: /^CRD-00[123]/, to: "high", at: ({ severity }) => severity === "medium", sameFile: true },
  { from: /^EXF/, with: /^CRD-00[1236]/, to: "critical", at: isHigh },
  { from: /^DLX/, with: /^OBF-00[12]/, to: "critical", at: isHigh },
  { from: /^HID/, with: /^(?!HID|OBF-004|MAN)/, to: "critical", at: isHigh },
  { from: /^AGT/, with: /^DLX/, to: "critical", at: isHigh },
];

const RULES_OF_SKILLS = ALL_RULES.filter(({ checkSkill }) => checkSkill !== undefined);

type Options = {
  unread?: Unread[];
  /** Characters of work for the whole skill. */
  workChars?: number;
  onFile?: (path: string) => void;
};

/**
 * Runs every rule over a skill in this thread: entries and scripts first. Files and rules beyond the limits of work are
 * reported as OBF-004. Equal files give equal results on any machine, except `durationMs`.
 */
export function scanSkill(
  files: SkillFile[],
  { unread = [], workChars = SKILL_WORK_CHARS, onFile }: Options = {},
): ScanResult {
  const startedMs = performance.now();
  const left: Work = { leftChars: workChars };
  const drafts = unread.map(({ path, text }) => draftUnread({ path }, text));
  const skill: ScanSkill = { files: [] };
  let followed = 0;
  let linked = 0;
  const lines = new Map<string, LineIndex>();
  const opened = inScanOrder(files).map(openScanFile);
  const byName = indexNames(opened);
  for (const file of opened) {
    onFile?.(file.path);
    if (file.kind === "script" || file.kind === "prose") {
      Object.assign(file, linkedFiles(file, byName, { leftChars: MAX_FOLLOWED_CHARS / 4 - linked, speaks }));
      for (const { text } of file.linked ?? []) linked += text.length;
    }
    if (mayFlow(file)) followed += file.text.length;
    if (followed > MAX_FOLLOWED_CHARS) file.isBeyondFollowing = true;
    const index = indexLines(file.text);
    skill.files.push(file);
    lines.set(file.path, index);
    const { found, stopped } = scanFile(file, index, left);
    for (const draft of found) drafts.push(draft);
    const { texts, isCut } = hiddenTexts(file, textKindsOf(file));
    // Ordinary in long documents.
    if (isCut) {
      const text = "More is compressed in this file than the scan reads (2 MiB).";
      drafts.push({ ...draftUnread(file, text), severity: "medium" });
    }
    for (const hidden of texts) {
      const { found: inside } = scanFile(hidden, indexLines(hidden.text), left);
      // Names, licences and addresses are ordinary in pictures and fonts, and most of their text is no script.
      for (const draft of inside) if (isStrong(draft) && draft.rule !== "OBF-008") drafts.push(draft);
    }
    for (const why of stopped) drafts.push(draftUnread(file, why));
  }
  const byPath = new Map(skill.files.map((file) => [file.path, file]));
  for (const rule of RULES_OF_SKILLS) {
    for (const hit of rule.checkSkill?.(skill) ?? []) {
      const path = hit.path ?? "SKILL.md";
      drafts.push(draftHit(rule, hit, byPath.get(path) ?? { path }, lines.get(path) ?? indexLines("")));
    }
  }
  const findings = addFingerprints(limitHits(weighPlaces(raiseFindings(drafts), skill)));
  const complete = !drafts.some(({ rule }) => rule === "OBF-004");
  return { findings, complete, rulesVersion: rulesVersion(), durationMs: Math.round(performance.now() - startedMs) };
}

function scanFile(file: ScanFile, lines: LineIndex, left: Work) {
  const found: Draft[] = [];
  const stopped: string[] = [];
  if (left.leftChars <= 0) {
    return { found, stopped: ["The limit of work for this skill was reached. This file was not scanned."] };
  }
  const work: Work = { leftChars: Math.min(left.leftChars, FILE_WORK_CHARS) };
  const before = work.leftChars;
  const views = decodeViews(file.text);
  const places = prepareTexts(file, views.fragments);
  if (!views.complete) stopped.push("More is encoded in this file than the scan decodes (2 Mi characters).");
  for (const rule of ALL_RULES) {
    if (!mayFind(rule, places)) continue;
    if (work.leftChars < 0) {
      stopped.push(
        `The limit of work for this file was reached before rule ${rule.id}. That rule and the later ones did not scan it.`,
      );
      break;
    }
    if (rule.applies !== undefined && !rule.applies(file)) continue;
    if (rule.checkFile !== undefined && mayCheck(rule, places))
      for (const hit of firstOnLines(rule.checkFile(file), lines)) found.push(draftHit(rule, hit, file, lines));
    if (rule.patterns === undefined || file.kind === "binary") continue;
    const take = (hit: Hit, view: ScanView) => {
      found.push(draftHit(rule, hit, file, lines, view));
    };
    const finished = runPatterns(rule, file, places, take, work);
    if (!finished) stopped.push(`Rule ${rule.id} matched too many places in this file and did not finish.`);
  }
  left.leftChars -= before - work.leftChars + file.text.length;
  return { found, stopped };
}

const TESTS = /(?:^|\/)(?:tests?|__tests__|fixtures?|testdata|specs?|corpus)\//i;
const LOWER: Record<Severity, Severity> = { critical: "high", high: "medium", medium: "medium", info: "info" };

/**
 * Test data of a scanner and keys of a test are weaker where they stand. A file that the skill names is part of its work,
 * under any folder name.
 */
function weighPlaces(drafts: Raised[], { files }: ScanSkill): Raised[] {
  const isTest = ({ rule, path }: Raised) => TESTS.test(path) && !rule.startsWith("OBF-");
  if (!drafts.some(isTest)) return drafts;
  const named = new Set<string>();
  for (const { path, text } of files) {
    if (!TESTS.test(path)) for (const [name] of text.matchAll(/[\w.-]{1,100}/g)) named.add(name.replace(/\.$/, ""));
  }
  return drafts.map((draft) => {
    const name = draft.path.slice(draft.path.lastIndexOf("/") + 1);
    return isTest(draft) && !named.has(name) ? { ...draft, severity: LOWER[draft.severity] } : draft;
  });
}

/** Combinations weigh more than single findings, such as reading credentials and sending data. */
function raiseFindings(drafts: Draft[]): Raised[] {
  const strong = drafts.filter(isStrong);
  // A hostile skill has thousands of each.
  const inside = firstOf(
    strong.filter(({ view }) => /^(base64|hex)-decoded$/.test(view)),
    placeOf,
  );
  const partners = CHAINS.flatMap((chain) => {
    const fitting = strong.filter(({ rule }) => chain.with.test(rule));
    return fitting.length === 0
      ? []
      : [{ chain, byPath: firstOf(fitting, chain.sameFile ? ({ path }) => path : () => "") }];
  });
  return drafts.map((draft) => {
    // An encoded text has the severity of its contents.
    if (draft.rule === "OBF-001") {
      const found = inside.get(placeOf(draft));
      return found === undefined ? { ...draft, raisedBy: null } : { ...draft, severity: "high", raisedBy: found.rule };
    }
    for (const { chain, byPath } of partners) {
      if (!chain.at(draft) || !chain.from.test(draft.rule)) continue;
      const partner = byPath.get(chain.sameFile ? draft.path : "");
      if (partner !== undefined) return { ...draft, severity: chain.to, raisedBy: partner.rule };
    }
    return { ...draft, raisedBy: null };
  });
}

function placeOf({ path, line }: Draft): string {
  return `${line} ${path}`;
}

function firstOf(drafts: readonly Draft[], keyOf: (draft: Draft) => string): Map<string, Draft> {
  return new Map(drafts.toReversed().map((draft) => [keyOf(draft), draft]));
}

function isStrong({ severity }: Draft): boolean {
  return severity === "critical" || severity === "high";
}

function isHigh({ severity }: Draft): boolean {
  return severity === "high";
}
