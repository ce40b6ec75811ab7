import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import type { Severity } from "../scan/schema";
import { isNegativeExample, isProse } from "./evidence";
import * as words from "./order-words";
import { rulesOf } from "./rule-rows";

const MAX_PASSAGE_CHARS = 1_500;
/** `never reveal that …` hides a deed; it forbids none. */
const NEGATED =
  /\b(?:never|not|don['’]?t|cannot|can['’]t|mustn['’]t|avoid|nunca|niemals|jamais|никогда)\b(?! (?:reveal|tell|mention|disclose|inform|report|show|list|announce))(?:(?! and )[^.\n:;]){0,40}$|(?:不要|勿|不得)$/;
/** What an ordinary request is made of. */
const CARRIERS = /\b(?:query|param\w*|body|field|form|request|metadata|trailer|address|comment)\b/g;
const QUOTES = /\be\.g\b|\bfor example\b|\bsuch as\b/g;
/** Signing a request, or what a service documents of its own interface. */
const SIGNS =
  /\b(?:authorization|bearer|oauth|header|sign(?:ed|ature)?|log ?in(?! data)|sign ?in|sign ?up|rotate|revoke|grant|redirect|support@|security@|privacy@|placeholder|encrypt(?:ed|s)?|vault|secret manager|dashboard|console)\b/g;

type Passage = { start: number; text: string };
type Judged = { severity: Severity; why: "leak" | "order" } | null;

/** Rules about orders in prose, judged by what one passage says together. */
export const ORDERS: Rule[] = rulesOf([
  {
    id: "EXF-008",
    version: 2,
    severity: "critical",
    title: "Orders the agent to send secrets away",
    why: "Tells the agent to send keys, credentials, the environment or private records to another person's address.",
    owasp: ["ASI01", "ASI02", "LLM01", "LLM02"],
    applies: isProse,
    decoded: false,
    checkFile: (file) => hitsOf(file, "leak"),
  },
  {
    id: "PRM-010",
    version: 2,
    severity: "critical",
    title: "Orders the agent to act against its user",
    why: "Tells the agent to hide what it does, to act without the user's consent, or to change its own rules or memory.",
    owasp: ["ASI01", "ASI09", "ASI10", "LLM01"],
    applies: isProse,
    decoded: false,
    checkFile: (file) => hitsOf(file, "order"),
  },
]);

function hitsOf(file: ScanFile, why: "leak" | "order"): Hit[] {
  return judgedPassages(file)
    .filter((hit) => hit.why === why)
    .map(({ why: _why, ...hit }) => hit);
}

const judged = new WeakMap<ScanFile, (Hit & { why: "leak" | "order" })[]>();

function judgedPassages(file: ScanFile): (Hit & { why: "leak" | "order" })[] {
  const known = judged.get(file);
  if (known !== undefined) return known;
  const hits: (Hit & { why: "leak" | "order" })[] = [];
  for (const passage of passagesOf(file.text)) {
    const judgement = judgePassage(passage.text);
    if (judgement === null) continue;
    const { start, text } = passage;
    const isWarning = isNegativeExample({
      ...{
        text,
        groups: [],
        file,
        view: "source",
        inCode: false,
        before: file.text.slice(Math.max(0, start - 400), start),
      },
      line: `${headOf(file.text, start)}${text.slice(0, 0)}`,
      after: "",
    });
    hits.push({
      ...{ start, end: start + text.length, why: judgement.why, text: text.slice(0, 300) },
      severity: isWarning ? "medium" : judgement.severity,
    });
  }
  judged.set(file, hits);
  return hits;
}

/** What a passage orders; null for nothing. */
export function judgePassage(passage: string): Judged {
  const text = passage.toLowerCase();
  const hides = hidesDeeds(text);
  const unasked = has(words.UNASKED, text);
  const consents = !hides && !unasked && has(words.CONSENTS, text);
  if (leaks(text, { hides, unasked, consents })) return { severity: "critical", why: "leak" };
  if (consents) return null;
  const overrules = has(words.OVERRULES, text);
  if (!hides && !unasked && !overrules && !has(words.POWERS, text)) return null;
  const rewrites = has(words.REWRITES, text);
  const turns = overrules && (unasked || hides || (has(words.SECRETS, text) && isOrdered(words.SENDS, text)));
  const grows = rewrites && (hides || (overrules && unasked) || has(words.POWERS, text));
  const follows = (unasked || overrules || rewrites) && has(words.TAKES_ORDERS, text);
  const pays = unasked && nearby(text, (part) => isOrdered(words.SPENDS, part) && has(words.UNASKED, part));
  const covers =
    hides &&
    nearby(text, (part) => {
      const matters = unasked || has(words.ERASES, part) || has(words.SECRETS, part);
      return matters && hidesDeeds(part) && isOrdered(words.DEEDS, part);
    });
  return turns || grows || follows || pays || covers ? { severity: "critical", why: "order" } : null;
}

/** Whether a deed is hidden. That keys are never shown or logged is good advice. */
function hidesDeeds(text: string): boolean {
  for (const match of text.matchAll(words.HIDES)) {
    const object = /^[^.\n,;]{0,70}/.exec(text.slice(match.index + match[0].length))?.[0] ?? "";
    if (!has(words.SECRETS, object) && !/\b(?:tokens?|keys?|passwords?|values?|sensitive|pii)\b/.test(object))
      return true;
  }
  return false;
}

type Manner = { hides: boolean; unasked: boolean; consents: boolean };

/** Whether one or two sentences send secrets to a place, or personal things without the user's knowledge. */
function leaks(text: string, { hides, unasked, consents }: Manner): boolean {
  if (!/https?:|@|webhook|telegram|discord|slack|subdomain|git\./.test(text) || !has(words.PLACES, text)) return false;
  const sentences = sentencesOf(text);
  if (
    !consents &&
    sentences.some((one, at) => sendsSecrets(one, null) || sendsSecrets(one, sentences[at + 1] ?? null))
  ) {
    return true;
  }
  if (!hides && !unasked) return false;
  return nearby(text, (part) => {
    const isSent = isOrdered(words.SENDS, part) || (hides && isOrdered(words.INCLUDES, part));
    const isTheirs = has(words.PERSONAL, part) || (hides && has(words.SECRETS, part));
    return isSent && isTheirs && has(words.PLACES, part) && !has(SIGNS, part);
  });
}

/** In one sentence, or where one takes the secrets and the next one sends them. */
function sendsSecrets(one: string, next: string | null): boolean {
  const both = `${one} ${next ?? ""}`;
  if (!has(words.PLACES, both) || has(SIGNS, both) || !has(words.SECRETS, one) || has(QUOTES, one)) return false;
  if (isOrdered(words.SENDS, one)) return true;
  if (next === null) return has(CARRIERS, one) && isOrdered(words.INCLUDES, one);
  return isOrdered(words.TAKES, one) && isOrdered(words.SENDS, next) && has(words.PLACES, next);
}

/** Tries each sentence by itself, then each two that follow one another. */
function nearby(text: string, test: (part: string) => boolean): boolean {
  const sentences = sentencesOf(text);
  return sentences.some((one, at) => test(one) || (at > 0 && test(`${sentences[at - 1]} ${one}`)));
}

function sentencesOf(text: string): string[] {
  return text.split(/[.!?](?=\s|$)|[。！？]|\n(?=[a-z_-]{2,30}:)/).filter((one) => one.trim() !== "");
}

function has(pattern: RegExp, text: string): boolean {
  // Unlike `test`, `search` keeps no position between calls.
  return text.search(pattern) !== -1;
}

/** Whether a passage says it as an order, and not as a thing never to do. */
function isOrdered(pattern: RegExp, text: string): boolean {
  for (const match of text.matchAll(pattern)) {
    if (!NEGATED.test(text.slice(Math.max(0, match.index - 60), match.index))) return true;
  }
  return false;
}

/** Paragraphs, list items and table rows, without blocks of code. A line that ends in a colon belongs to the next. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let open: Passage | null = null;
  let fence: string | null = null;
  let offset = 0;
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
    } else if (/^\s*(?:#{1,6} .*|-{3,})?$/.test(line)) close();
    else {
      const isItem = /^\s*(?:[-*+]|\d{1,3}[.)]) /.test(line);
      const last: Passage | null = open;
      if (last !== null && (last.text.length + line.length > MAX_PASSAGE_CHARS || (isItem && !/:\s*$/.test(last.text))))
        close();
      if (open === null) open = { start: offset, text: line.slice(0, MAX_PASSAGE_CHARS) };
      else (open as Passage).text += `\n${line.slice(0, MAX_PASSAGE_CHARS)}`;
    }
    offset += line.length + 1;
  }
  close();
  return passages;
}

/** The line in which an offset stands. */
function headOf(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end).slice(0, 1_000);
}
