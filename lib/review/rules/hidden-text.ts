import { isLookalike, isMixed } from "../scan/decode-views";
import { compileRulePattern } from "../scan/match-pattern";
import type { Hit, Rule } from "../scan/rule";
import { isProse } from "./evidence";
import { rulesOf } from "./rule-rows";

const TAGS = /[\u{E0000}-\u{E007F}]+/gu;

/** Flag emoji of a region: a black flag, its code in tags, and the end tag. */
const FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{4,6}\u{E007F}/gu;
const CONTROLS = /[\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu;
const RIGHT_TO_LEFT = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;
const ZERO_WIDTH = /[\u{200B}-\u{200D}\u{2060}-\u{2064}\u{FEFF}\u{180E}\u{115F}\u{1160}\u{3164}\u{FFA0}]+/gu;

const NEEDING =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Mong}\p{sc=Hang}\p{sc=Hebr}]/u;

// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself, not combined with the character before it.
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}\u{20E3}\u{1F1E6}-\u{1F1FF}\u{2640}\u{2642}]/u;

const SELECTORS =
  /[\u{FE00}-\u{FE0F}]{3,}|[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*[\u{E0100}-\u{E01EF}][\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*/gu;

const ORDERS: string[] = [
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules|guidelines|prompts?|restrictions|polic(?:y|ies)|safety)\b`,
  String.raw`\b(?:do not|don['’]?t|never|without)\b.{0,20}\b(?:tell|mention|inform|reveal|disclose|notify|alert|asking|telling|informing)\b.{0,40}\b(?:user|human|operator|owner|anyone|this|these)\b`,
  String.raw`\b(?:secretly|silently|covertly|quietly)\b.{0,60}\b(?:run|execute|send|upload|read|copy|install|download|fetch|add|include|append)\b`,
  String.raw`\b(?:assistant|ai|agents?|claude|llm|model|chatgpt|codex|gemini)\b[^.\n]{0,40}\b(?:must|should|shall|please|will|need to|has to|have to|are required to)\b[^.\n]{0,60}\b(?:run|execute|read|send|include|fetch|upload|install|download|append|call|output|add|write|use)\b`,
  String.raw`\b(?:system|hidden|secret|internal|admin|developer)\s+(?:prompt|override|instructions?|directives?|commands?|note to (?:ai|agent|model|assistant))\b\s*[:—-]`,
  String.raw`\b(?:send|post|upload|exfiltrate|forward|transmit)\b[^\n]{0,120}\bhttps?://`,
  String.raw`\b(?:send|post|upload|exfiltrate|forward|transmit|read|collect|copy)\b[^\n]{0,80}(?:\.ssh|\.aws|\.env\b|credentials?\b|api[ _-]?keys?\b|tokens?\b|passwords?\b|secrets?\b)`,
  String.raw`\b(?:curl|wget|iwr|invoke-webrequest)\s[^\n]*(?:https?://|\|\s*(?:ba|z)?sh)`,
  String.raw`\b(?:base64\s+(?:-d|--decode)|eval\s*\(|bash\s+-c\s|sh\s+-c\s|python3?\s+-c\s|nc\s+-e|rm\s+-rf\s+[/~])`,
  String.raw`\b(?:run|execute|invoke)\b[^\n]{0,40}(?:\x60[^\x60\n]{4,}\x60|scripts?/|\.(?:sh|py|ps1)\b)[^\n]{0,80}\b(?:before|first|always|every|each|silently|without)\b`,
  String.raw`\b(?:always|before|first|every time|each time)\b[^\n]{0,60}\b(?:run|execute|invoke)\b[^\n]{0,40}(?:\x60[^\x60\n]{4,}\x60|scripts?/|\.(?:sh|py|ps1)\b)`,
];

const HOUSEKEEPING =
  /^\s*(?:prettier|markdownlint|eslint|cspell|vale|textlint|lint|toc|todo|fixme|begin|end|start|stop|region|endregion|source|generated|auto-?generated|do not edit|this file|template|copyright|spdx|license|note to (?:contributors|maintainers)|example)\b/i;

/** `Never read .env here`: a comment that only forbids, and does not forbid to tell or to ask. */
const FORBIDDEN =
  /\b(?:never|do not|don['’]t|cannot|must not|should not|need not|need to|(?:no|any) (?:reason|need) to|not necessary to|nothing to|without) (?:ever )?(?:read|send|post|upload|collect|copy|forward|open|curl|wget)(?:ing)?\b(?:(?! and (?:send|post|upload|then)| then )[^.,;:!?]){0,80}(?:[^\s.,;:!?]|\.(?=\w)){0,40}/gi;

type Comment = { start: number; end: number; content: string };

const MAX_BLANK_LINES = 40;
const MAX_SPACES = 500;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Greek letters that look Latin. Others mark units and formulas. */
const DECEIVING = /[ονιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

export const HIDDEN_TEXT: Rule[] = rulesOf([
  {
    id: "HID-001",
    severity: "critical",
    title: "Tag characters",
    why: "People cannot see these characters, but agents read them as ordinary letters.",
    owasp: ["ASI01", "LLM01"],
    decoded: false,
    *checkFile({ text, path }) {
      yield* findTags(text);
      for (const { text: shown } of findTags(path)) yield { text: shown };
    },
  },
  {
    id: "HID-002",
    version: 2,
    severity: "high",
    title: "Characters that change the text direction",
    why: "With these characters, the displayed text differs from the text that a program reads.",
    owasp: ["ASI09", "LLM01"],
    decoded: false,
    *checkFile({ text, path }) {
      yield* findControls(text);
      // Not `test`, which starts where the last match of another path ended.
      if (path.search(CONTROLS) !== -1) yield { text: path };
    },
  },
  {
    id: "HID-003",
    severity: "medium",
    title: "Zero-width characters",
    why: "Invisible characters split words so that searches miss them, or encode a hidden message.",
    owasp: ["ASI01", "LLM01"],
    decoded: false,
    *checkFile({ text }) {
      for (const match of text.matchAll(ZERO_WIDTH)) yield* weighZeroWidth(text, match);
    },
  },
  {
    id: "HID-004",
    severity: "high",
    title: "Runs of variation selectors",
    why: "Runs of these invisible characters encode bytes that a script can decode and run.",
    owasp: ["ASI01", "ASI05", "LLM01"],
    decoded: false,
    *checkFile({ text }) {
      for (const { 0: run, index } of text.matchAll(SELECTORS)) {
        const count = [...run].length;
        // A single selector after a CJK character chooses its glyph.
        if (count === 1 && /\p{sc=Han}$/u.test(text.slice(Math.max(0, index - 2), index))) continue;
        yield { start: index, end: index + run.length, text: `${count} variation selectors: ${run}` };
      }
    },
  },
  {
    id: "HID-005",
    version: 3,
    severity: "high",
    title: "Instructions in an HTML comment",
    why: "Readers of the rendered page do not see the comment, but an agent reads it and may follow it.",
    owasp: ["ASI01", "ASI09", "LLM01"],
    decoded: false,
    applies: ({ kind, extension }) => kind === "prose" || /^(?:html?|svg|xml)$/.test(extension),
    checkFile: ({ text }) => findComments(text).flatMap(weighComment),
  },
  {
    id: "HID-006",
    severity: "medium",
    title: "Text hidden by its style",
    why: "This style hides the text on the rendered page, but an agent still reads it.",
    owasp: ["ASI01", "ASI09", "LLM01"],
    applies: isProse,
    decoded: false,
    patterns: [
      {
        hints: ["style"],
        re: String.raw`<[a-z]+\b[^>\n]*\bstyle\s*=\s*["'][^"'>\n]*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|["'])|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|rem|%)?\s*(?:;|["'])|\bcolor\s*:\s*(?:white|#fff(?:fff)?|transparent|rgba\([^)]*,\s*0\))|text-indent\s*:\s*-\d{3,}|left\s*:\s*-\d{3,}px)`,
        weigh: ({ inCode }) => !inCode,
      },
      {
        hints: ["hidden"],
        re: String.raw`<(?:div|span|p|section|details)\s+(?:[^>\n]*\s)?hidden(?:\s|>|=)`,
        weigh: ({ inCode }) => !inCode,
      },
    ],
  },
  {
    id: "HID-007",
    severity: "medium",
    title: "Text far beyond a gap",
    why: "More than 40 empty lines or 500 spaces hide the text that follows.",
    owasp: ["ASI09"],
    decoded: false,
    applies: ({ kind }) => kind === "prose" || kind === "script" || kind === "config",
    checkFile: ({ text }) => findGaps(text),
  },
  {
    id: "HID-008",
    severity: "medium",
    title: "Word of mixed scripts",
    why: "Contains a letter of another alphabet that looks like a Latin one, so a name or host is not what it seems.",
    owasp: ["ASI04", "ASI09"],
    decoded: false,
    *checkFile({ text, path }) {
      for (const word of path.match(WORD) ?? []) if (isDeceiving(word)) yield { text: path };
      if (!/[\u0370-\u058F]/.test(text)) return;
      for (const { 0: word, index } of text.matchAll(WORD))
        if (isDeceiving(word))
          yield { start: index, end: index + word.length, text: `${word} (${codePointsOf(word)})` };
    },
  },
]);

function* findTags(text: string): Generator<Hit> {
  if (!/[\u{E0000}-\u{E007F}]/u.test(text)) return;
  const bare = text.replace(FLAG, (flag) => "x".repeat(flag.length));
  for (const { 0: tags, index } of bare.matchAll(TAGS))
    yield {
      start: index,
      end: index + tags.length,
      text: `${tags.length / 2} tag characters: "${decodeTags(tags)}"`,
    };
}

function decodeTags(tags: string): string {
  const points = [...tags].map((char) => (char.codePointAt(0) ?? 0) - 0xe0000);
  return points.map((point) => (point >= 32 && point < 127 ? String.fromCharCode(point) : "")).join("");
}

function* findControls(text: string): Generator<Hit> {
  if (text.search(CONTROLS) === -1) return;
  let offset = 0;
  for (const line of text.split("\n")) {
    let isRightToLeft: boolean | undefined;
    for (const match of line.matchAll(CONTROLS)) {
      isRightToLeft ??= RIGHT_TO_LEFT.test(line);
      // Right-to-left text needs embeddings and isolates, but never overrides.
      const needed = isRightToLeft && !/[\u{202D}\u{202E}]/u.test(match[0]);
      const start = offset + match.index;
      const shown = line.slice(Math.max(0, match.index - 60), match.index + 60);
      yield { start, end: start + match[0].length, text: shown, ...(needed ? { severity: "info" as const } : {}) };
    }
    offset += line.length + 1;
  }
}

function weighZeroWidth(text: string, { 0: run, index }: RegExpExecArray): Hit[] {
  const before = lastChar(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + run.length) ?? 32);
  if (run === "\u200D" && EMOJI.test(before)) return [];
  if (run.length <= 2 && (NEEDING.test(before) || NEEDING.test(after))) return [];
  const shown = text.slice(Math.max(0, index - 40), index + run.length + 40);
  // A long run can carry a message in two symbols.
  const severity = run.length >= 16 ? "high" : "medium";
  return [{ start: index, end: index + run.length, text: shown, severity }];
}

function lastChar(text: string, index: number): string {
  const low = text[index - 1] ?? " ";
  return /[\uDC00-\uDFFF]/.test(low) ? `${text[index - 2] ?? ""}${low}` : low;
}

function weighComment({ start, end, content }: Comment): Hit[] {
  const spoken = content.slice(0, 8_000).replace(/\s+/g, " ");
  const told = spoken.replace(FORBIDDEN, " ");
  if (ORDERS.some((order) => compileRulePattern(order).pattern.test(told))) {
    return [{ start, end, ...(HOUSEKEEPING.test(spoken) ? { severity: "medium" as const } : {}) }];
  }
  return /https?:\/\//.test(content) && !HOUSEKEEPING.test(content) ? [{ start, end, severity: "info" }] : [];
}

/** `<!-- … -->` comments and Markdown's hidden `[//]: # (…)` lines. */
function findComments(text: string): Comment[] {
  const comments: Comment[] = [];
  for (let at = text.indexOf("<!--"); at !== -1; at = text.indexOf("<!--", at + 4)) {
    const close = text.indexOf("-->", at + 4);
    const end = close === -1 ? text.length : close + 3;
    comments.push({ start: at, end, content: text.slice(at + 4, close === -1 ? end : close) });
    at = end - 4;
  }
  for (const match of text.matchAll(/^\[[^\]\n]{1,40}\]: *(?:#|<>) *["('](.*)["')] *$/gm)) {
    comments.push({ start: match.index, end: match.index + match[0].length, content: match[1] ?? "" });
  }
  return comments;
}

function* findGaps(text: string): Generator<Hit> {
  let blank = 0;
  let offset = 0;
  for (const line of text.split("\n")) {
    const content = line.trim();
    if (content === "") blank += 1;
    else {
      if (blank > MAX_BLANK_LINES) yield gapHit(offset, line, `${blank} empty lines before: ${content}`);
      blank = 0;
      const gap = line.length > MAX_SPACES ? /[ \t\u00A0]{500,}(?=\S)/.exec(line) : null;
      if (gap !== null) {
        const after = line.slice(gap.index + gap[0].length);
        yield gapHit(offset + gap.index, gap[0], `${gap[0].length} spaces before: ${after}`);
      }
    }
    offset += line.length + 1;
  }
}

function gapHit(start: number, { length }: string, text: string): Hit {
  return { start, end: start + length, text };
}

function isDeceiving(word: string): boolean {
  if (!isMixed(word) || !isLookalike(word) || (word.match(/[a-zA-Z]/g)?.length ?? 0) < 2) return false;
  return !/\p{sc=Grek}/u.test(word) || DECEIVING.test(word);
}

function codePointsOf(word: string): string {
  const foreign = [...new Set(word.match(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu) ?? [])];
  return foreign
    .map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(", ");
}
