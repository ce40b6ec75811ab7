import { MAX_CHECKED } from "../scan/limits";
import type { Hit, Rule } from "../scan/rule";

const ZERO_WIDTH = /[\u{200B}-\u{200D}\u{2060}-\u{2064}\u{FEFF}\u{180E}\u{115F}\u{1160}\u{3164}\u{FFA0}]+/gu;
/** Scripts whose spelling or line breaks need them. */
const NEEDING =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Mong}\p{sc=Hang}\p{sc=Hebr}]/u;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself, whatever stands before it.
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}\u{20E3}\u{1F1E6}-\u{1F1FF}\u{2640}\u{2642}]/u;

export const zeroWidth: Rule = {
  id: "HID-003",
  version: 1,
  severity: "medium",
  title: "Zero-width characters",
  why: "Characters without a width split words so that searches miss them, or carry a message of their own.",
  owasp: ["ASI01", "LLM01"],
  decoded: false,
  checkFile: ({ text }) => {
    const hits: Hit[] = [];
    for (const match of text.matchAll(ZERO_WIDTH)) {
      hits.push(...hitOf(text, match));
      if (hits.length >= MAX_CHECKED) break;
    }
    return hits;
  },
};

function hitOf(text: string, { 0: run, index }: RegExpExecArray): Hit[] {
  const before = lastChar(text, index);
  const after = String.fromCodePoint(text.codePointAt(index + run.length) ?? 32);
  if (run === "\u200D" && EMOJI.test(before)) return [];
  if (run.length <= 2 && (NEEDING.test(before) || NEEDING.test(after))) return [];
  const shown = text.slice(Math.max(0, index - 40), index + run.length + 40);
  // A long row is a message in two letters.
  const severity = run.length >= 16 ? "high" : "medium";
  return [{ start: index, end: index + run.length, text: shown, severity }];
}

function lastChar(text: string, index: number): string {
  const low = text[index - 1] ?? " ";
  return /[\uDC00-\uDFFF]/.test(low) ? `${text[index - 2] ?? ""}${low}` : low;
}
