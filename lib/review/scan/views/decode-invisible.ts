import { foldWord } from "./fold-word";
import type { Fragment } from "./fragment";
import { mapLines } from "./map-lines";

const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself, whatever stands before it.
  /[\u{AD}\u{34F}\u{61C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{3164}\u{FE00}-\u{FE0F}\u{FEFF}\u{FFA0}\u{E0000}-\u{E0FFF}]/gu;
const TAGS = /[\u{E0020}-\u{E007E}]{2,}/gu;
const SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{4,}/gu;

/** Lines with characters that nobody sees, without them. */
export function removeInvisible(text: string): Fragment[] {
  if (!hasBeyondAscii(text)) return [];
  return mapLines(text, "invisible-removed", (line) => line.replace(INVISIBLE, ""));
}

/** What tag characters and long rows of variation selectors say: they stand for ASCII, or for bytes. */
export function decodeTags(text: string): Fragment[] {
  if (!hasBeyondAscii(text)) return [];
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

/** Lines with words of mixed scripts or of letters made for mathematics, in the letters that they look like. */
export function foldConfusables(text: string): Fragment[] {
  if (!hasBeyondAscii(text)) return [];
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
