import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import type { Severity } from "../scan/schema";
import { speaksOfAttackers, speaksOfAttacks } from "./evidence";
import { type Judgement, judgeUnits, MAX_UNITS, type Unit } from "./order-judge";
import { rulesOf } from "./rule-rows";

const MAX_PASSAGE_CHARS = 1_500;
/** Of each rule in a file. Ten are listed, and a page with more is hostile to the scan itself. */
const MAX_HITS = 12;

/** The ends of long lines inside of a sentence; those of short lines and indented commands stay. */
const WRAPS = /\n(?<=[^\n]{40}\n)(?<![\s:;\\]\n)(?= {0,3}(?![a-z_-]{2,30}:)[\p{L}\p{N}"'(“„«\x60@])/gu;

const FORBIDS = /\b(?:never|do not|don['’]t|avoid|bad|wrong|must not)\b/i;

type Passage = { start: number; text: string; isItem: boolean; isFirst: boolean };

const isToldToAgent = ({ kind }: ScanFile) => kind === "prose" || kind === "script" || kind === "config";

/** Rules about orders in prose, judged by what one passage says together. */
export const ORDERS: Rule[] = rulesOf([
  {
    id: "EXF-008",
    version: 12,
    severity: "critical",
    title: "Orders the agent to send secrets away",
    why: "Tells the agent to send keys, credentials, the environment or private records to another person's address.",
    owasp: ["ASI01", "ASI02", "LLM01", "LLM02"],
    applies: isToldToAgent,
    decoded: false,
    checkFile: (file) => hitsOf(file, "leak"),
  },
  {
    id: "PRM-010",
    version: 12,
    severity: "critical",
    title: "Orders the agent to act against its user",
    why: "Tells the agent to hide what it does, to act without the user's consent, or to change its own rules or memory.",
    owasp: ["ASI01", "ASI09", "ASI10", "LLM01"],
    applies: isToldToAgent,
    decoded: false,
    checkFile: (file) => hitsOf(file, "order"),
  },
]);

function hitsOf(file: ScanFile, why: "leak" | "order"): Hit[] {
  return judgedUnits(file)
    .filter((hit) => hit.why === why)
    .map(({ why: _why, ...hit }) => hit);
}

type Found = Hit & { why: Judgement["why"] };
const judged = new WeakMap<ScanFile, Found[]>();

function judgedUnits(file: ScanFile): Found[] {
  const known = judged.get(file);
  if (known !== undefined) return known;
  const hits: Found[] = [];
  const left = { leak: MAX_HITS, order: MAX_HITS };
  for (const units of textsOf(file).flatMap(([start, text]) => sectionsOf(text, start))) {
    if (left.leak + left.order === 0) break;
    for (const { why, unit, isPlain } of judgeUnits(units, left)) {
      left[why] -= 1;
      const start = units[unit]?.start ?? 0;
      const end = Math.min(start + 300, (units[unit + 2]?.start ?? file.text.length) - 1);
      const severity: Severity = isSpokenOf(file, units, unit, isPlain ? speaksOfAttackers : speaksOfAttacks)
        ? "medium"
        : "critical";
      hits.push({ start, end, why, severity, text: file.text.slice(start, end).trimEnd() });
    }
  }
  judged.set(file, hits);
  return hits;
}

const TOOL_TEXTS =
  /"""[\s\S]{80,4000}?"""|\bdescription["']?\s*[:=]\s*(?:"(?:[^"\\\n]|\\.){80,3000}"|\x60[^\x60]{80,3000}\x60)/g;
const TOOLS = /\bmcp\b|\btools?\b/i;

/** A page, or what a script or a list of tools tells an agent of them. */
function textsOf({ text, kind }: ScanFile): [number, string][] {
  if (kind === "prose") return [[0, text]];
  if (!TOOLS.test(text) || !/"""|\bdescription\b/.test(text)) return [];
  return [...text.matchAll(TOOL_TEXTS)].map((match) => [match.index, match[0]]);
}

/** Whether the sentences before and after, or the heading, speak of an attack or of what never to do. */
function isSpokenOf(file: ScanFile, units: Unit[], at: number, speaks: (text: string) => boolean): boolean {
  const around = units.slice(Math.max(0, at - 2), at + 2);
  if (around.some(({ text }) => speaks(text))) return true;
  const first = units[0]?.start ?? 0;
  const heading =
    file.text
      .slice(Math.max(0, first - 200), first)
      .trimEnd()
      .split("\n")
      .at(-1) ?? "";
  return /^#{1,6} /.test(heading) && (speaks(heading) || FORBIDS.test(heading));
}

/** The units of each section, from heading to heading, in groups of those that fit a number. */
function sectionsOf(text: string, from: number): Unit[][] {
  const sections: Unit[][] = [];
  let units: Unit[] = [];
  let lead: number | null = null;
  const close = () => {
    if (units.length > 0) sections.push(units);
    units = [];
    lead = null;
  };
  for (const passage of passagesOf(text)) {
    if (passage.isFirst) close();
    if (!passage.isItem) lead = null;
    for (const [at, part] of sentencesOf(joinLines(passage.text))) {
      if (units.length >= MAX_UNITS) {
        const last = units.slice(-3).map((unit) => ({ ...unit, lead: null }));
        close();
        units = last;
      }
      units.push({ start: from + passage.start + at, text: part.toLowerCase().replace(/ {2,}/g, " "), lead });
      if (/:\s*$/.test(part)) lead = units.length - 1;
    }
  }
  close();
  return sections;
}

function joinLines(text: string): string {
  return text.includes("\n") ? text.replace(WRAPS, " ") : text;
}

/** Sentences and rows, each with its offset. */
function sentencesOf(text: string): [number, string][] {
  const parts: [number, string][] = [];
  let start = 0;
  for (const match of text.matchAll(/[.!?](?=["”'’»)]?(?:\s|$))|[。！？]|:(?=\n)|\n(?=\s*\||[a-z_-]{2,30}:)|$/g)) {
    const end = match.index + match[0].length;
    const part = text.slice(start, end);
    const indent = part.length - part.trimStart().length;
    if (/[\p{L}]/u.test(part)) parts.push([start + indent, part.trim()]);
    start = end;
  }
  return parts;
}

/** An empty line, a heading or a rule. */
function isBreak(line: string): boolean {
  return (
    line === "" || (line.startsWith("#") && /^#{1,6} /.test(line)) || (line.startsWith("---") && /^-+$/.test(line))
  );
}

/** Paragraphs, list items and table rows, without blocks of code. A line that ends in a colon belongs to the next. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let open: Passage | null = null;
  let fence: string | null = null;
  let offset = 0;
  let isFirst = true;
  const close = () => {
    if (open !== null && open.text.trim() !== "") passages.push(open);
    open = null;
  };
  for (const line of text.split("\n")) {
    const mark = /^[ \t]{0,12}(`{3,}|~{3,})[ \t]*(\w*)/.exec(line);
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) && mark[2] === "") fence = null;
    } else if (mark !== null && mark[2] !== "" && !/^(?:text|txt|md|markdown|prompt)$/i.test(mark[2] ?? "")) {
      close();
      fence = mark[1] ?? "";
    } else if (isBreak(line.trimStart())) {
      close();
      isFirst ||= line.trim() !== "";
    } else {
      const isItem = /^\s*(?:[-*+]|\d{1,3}[.)]) /.test(line);
      const last: Passage | null = open;
      if (last !== null && (last.text.length + line.length > MAX_PASSAGE_CHARS || (isItem && !/:\s*$/.test(last.text))))
        close();
      if (open === null) {
        open = { start: offset, text: line.slice(0, MAX_PASSAGE_CHARS), isItem, isFirst };
        isFirst = false;
      } else (open as Passage).text += `\n${line.slice(0, MAX_PASSAGE_CHARS)}`;
    }
    offset += line.length + 1;
  }
  close();
  return passages;
}
