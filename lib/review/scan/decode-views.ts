import { decodeBase64, decodeHex, type Fragment, sourceAt } from "./encoded-text";
import { MAX_DECODE_DEPTH, MAX_DECODED_CHARS } from "./limits";
import type { ScanView } from "./schema";

/** A sentence may span this many lines; longer fragments would blur the position. */
const MAX_LINES = 3;

const NAMED: Record<string, string> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", lpar: "(", rpar: ")", dollar: "$", sol: "/", bsol: "\\" },
  ...{ colon: ":", semi: ";", vert: "|", verbar: "|", grave: "`", lbrack: "[", rbrack: "]", lbrace: "{", rbrace: "}" },
  ...{ period: ".", comma: ",", excl: "!", num: "#", nbsp: " ", Tab: "\t", NewLine: "\n", commat: "@", equals: "=" },
};

const ROT13_CLUE = /rot[-_]?13|n-za-m|13\s*\)\s*%\s*26/i;
const REVERSED_CLUE = /\[::-1\]|\.reverse\(\)|\breversed\(|\|\s*rev\b|strrev|-join.{0,20}\[-1\.\./i;
const COMMANDS = new Set("curl wget bash sh eval exec base64 python perl nc ncat powershell chmod cat rm".split(" "));

const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself, not combined with the character before it.
  /[\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{3164}\u{FE00}-\u{FE0F}\u{FEFF}\u{FFA0}\u{E0000}-\u{E0FFF}]/gu;

const TAGS = /[\u{E0020}-\u{E007E}]{2,}/gu;
const SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{4,}/gu;

/** Cyrillic, Armenian and Greek letters, each followed by the Latin letter that it resembles. */
const PAIRS = `аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ёe їi гr пn ьb սu օo ոn ցg АA ВB ЕE КK МM НH ОO РP
  СC ТT УY ХX ІI ЈJ ЅS αa βb εe ιi κk νv οo ρp τt υu χx γy ωw ηn ϲc ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX`;

/** What a fragment costs by itself: every pattern asks every fragment. */
const FRAGMENT_CHARS = 64;

const DECODERS: ((text: string) => Fragment[])[] = [
  removeInvisible,
  decodeTags,
  foldConfusables,
  decodeEntities,
  decodePercent,
  decodeEscapes,
  decodeBase64,
  decodeHex,
  decodeRot13,
  reverseLines,
  joinStrings,
];

/** Decodes obfuscated text, three levels deep. `complete` is false when the result exceeds 2 Mi characters. */
export function decodeViews(text: string): { fragments: Fragment[]; complete: boolean } {
  const fragments: Fragment[] = [];
  let left = MAX_DECODED_CHARS;
  let level: Fragment[] = [{ view: "source", text, source: 0 }];
  for (let depth = 0; depth < MAX_DECODE_DEPTH && level.length > 0; depth += 1) {
    const next: Fragment[] = [];
    for (const outer of level) {
      for (const decode of DECODERS) {
        for (const inner of decode(outer.text)) {
          left -= inner.text.length + FRAGMENT_CHARS;
          if (left < 0) return { fragments, complete: false };
          next.push(
            depth === 0 ? inner : { view: inner.view, text: inner.text, source: sourceAt(outer, inner.source) },
          );
        }
      }
    }
    for (const fragment of next) fragments.push(fragment);
    // Decoding short fragments again would mostly repeat known ones.
    level = next.filter((fragment) => fragment.text.length >= 8);
  }
  return { fragments, complete: true };
}

function removeInvisible(text: string): Fragment[] {
  if (!hasBeyondAscii(text) || text.search(INVISIBLE) === -1) return [];
  return mapLines(text, "invisible-removed", (line) => line.replace(INVISIBLE, ""));
}

/** Text encoded in tag characters and long runs of variation selectors (ASCII or bytes). */
function decodeTags(text: string): Fragment[] {
  // All tags and half of the selectors begin with this half of a pair.
  if (!/\uDB40|[\uFE00-\uFE0F]{4}/.test(text)) return [];
  const tags = [...text.matchAll(TAGS)].map((match) => ({
    view: "tags-decoded" as const,
    text: [...match[0]].map((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) - 0xe0000)).join(""),
    source: match.index,
  }));
  const selectors = [...text.matchAll(SELECTORS)].map((match) => ({
    view: "tags-decoded" as const,
    text: Buffer.from([...match[0]].map(selectorByte)).toString("utf8"),
    source: match.index,
  }));
  return [...tags, ...selectors];
}

function foldConfusables(text: string): Fragment[] {
  if (!hasBeyondAscii(text) || !(STYLED.test(text) || RESEMBLING.test(text))) return [];
  return mapLines(text, "confusables-folded", (line) =>
    /[^\0-\x7f]/.test(line) ? line.replace(/[\p{L}\p{N}\p{M}.:/@|$_-]+/gu, foldWord) : line,
  );
}

function selectorByte(char: string): number {
  const point = char.codePointAt(0) ?? 0;
  return point >= 0xe0100 ? point - 0xe0100 + 16 : point - 0xfe00;
}

function hasBeyondAscii(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

function decodeRot13(text: string): Fragment[] {
  if (!ROT13_CLUE.test(text)) return [];
  return mapLines(text, "rot13-decoded", (line) =>
    line.replace(/[a-z]/gi, (letter) => {
      const base = letter <= "Z" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
    }),
  );
}

function reverseLines(text: string): Fragment[] {
  if (!REVERSED_CLUE.test(text)) return [];
  return mapLines(text, "reversed", (line) => (line.length < 12 ? line : [...line].reverse().join("")));
}

/** Each pattern with what is found faster. */
const MAY_JOIN: [parts: string[], pattern: RegExp][] = [
  [["+"], /["']\s{0,3}\+\s{0,3}["']/],
  [["''", '""', "\\"], /\w(?:''|""|\\)\w/],
  [["IFS"], /\$\{?IFS/],
  [["^"], /\^\w/],
];

/** Joins concatenated strings: `"cu" + "rl"`, `'cu''rl'`, `c\url`, `${IFS}`. */
function joinStrings(text: string): Fragment[] {
  if (!MAY_JOIN.some(([parts, pattern]) => parts.some((part) => text.includes(part)) && pattern.test(text))) return [];
  return mapLines(text, "strings-joined", (line) => {
    if (line.length > 20_000) return line;
    const joined = line.replace(/(["'])\s{0,3}\+\s{0,3}\1/g, "").replace(/\$\{?IFS(?:%\?\?)?\}?(?:\$9)?/g, " ");
    // Shells hide command names with quotes and backslashes inside a word; other languages write paths this way.
    const bare = joined.replace(
      /\b([a-z]{1,5})(?:''|""|\\)([a-z]{1,5})(?:(?:''|"")([a-z]{1,4}))?\b(?=\s)/g,
      (whole, ...parts) => {
        const word = parts.slice(0, 3).join("");
        return COMMANDS.has(word) ? word : whole;
      },
    );
    return bare.replace(/\b\w(?:\^\w){2,}/g, (word) => word.replaceAll("^", ""));
  });
}

function decodeEntities(text: string): Fragment[] {
  if (!text.includes("&")) return [];
  return mapLines(text, "entities-decoded", (line) =>
    line.replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return NAMED[name] ?? whole;
        return charOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? whole;
      },
    ),
  );
}

/** Percent-encoded letters and digits, or lines that are mostly encoded; ordinary addresses contain `%20`. */
function decodePercent(text: string): Fragment[] {
  if (!text.includes("%")) return [];
  return mapLines(text, "percent-decoded", (line) => {
    if (!/%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|3[0-9])/i.test(line)) return line;
    return line.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
  });
}

/** Three or more `\x41`, `\u0041`, `\u{41}`, `\101` or `%u0041` in a line. */
function decodeEscapes(text: string): Fragment[] {
  if (!/\\[xu0-7]|%u/.test(text)) return [];
  const escaped = /\\x([0-9a-f]{2})|[\\%]u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-7]{3})/gi;
  return mapLines(text, "escapes-decoded", (line) => {
    if ((line.match(escaped)?.length ?? 0) < 3) return line;
    return line.replace(escaped, (whole, byte?: string, unit?: string, point?: string, octal?: string) => {
      const hex = byte ?? unit ?? point;
      return charOf(hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16)) ?? whole;
    });
  });
}

function charOf(point: number): string | null {
  const printable = point === 9 || point === 10 || (point >= 32 && point <= 0x10ffff);
  return printable && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : null;
}

function mapLines(text: string, view: ScanView, change: (line: string) => string): Fragment[] {
  const fragments: Fragment[] = [];
  let open: { lines: string[]; lineSources: number[] } | null = null;
  const close = () => {
    if (open !== null) {
      const { lines, lineSources } = open;
      fragments.push({ view, text: lines.join("\n"), source: lineSources[0] ?? 0, lineSources });
    }
    open = null;
  };
  let offset = 0;
  for (const line of text.split("\n")) {
    const changed = change(line);
    if (changed === line) close();
    else {
      if (open !== null && open.lines.length >= MAX_LINES) close();
      open ??= { lines: [], lineSources: [] };
      open.lines.push(changed);
      open.lineSources.push(offset);
    }
    offset += line.length + 1;
  }
  close();
  return fragments;
}

/** Full-width, mathematical and circled letters. */
const STYLED = /[\u{FF01}-\u{FF5E}\u{1D400}-\u{1D7FF}\u{24B6}-\u{24E9}]/u;
/** Letters of scripts that have some like Latin ones. */
const RESEMBLING = /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/u;
const LOOKALIKES = new Map(PAIRS.split(/\s+/).map(([letter = "", latin = ""]) => [letter, latin]));

/** Replaces Latin lookalikes in words that mix scripts or use full-width or mathematical letters. */
export function foldWord(word: string): string {
  const plain = STYLED.test(word) ? word.normalize("NFKC") : word;
  if (!isMixed(plain)) return plain;
  return plain.replace(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** Whether a word mixes Latin letters with a script that has Latin lookalikes. */
export function isMixed(word: string): boolean {
  return /[a-zA-Z]/.test(word) && RESEMBLING.test(word);
}

/** Whether every non-Latin letter of a word resembles a Latin one. */
export function isLookalike(word: string): boolean {
  const foreign = word.match(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}]/gu) ?? [];
  return foreign.length > 0 && foreign.every((letter) => LOOKALIKES.has(letter));
}
