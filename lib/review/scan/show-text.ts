import { MAX_SHOWN_CHARS } from "./limits";

/** Everything that has no shape of its own on a screen, or changes the direction of its neighbours. Not the plain space. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself, whatever stands before it.
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{A0}\u{1680}\u{2000}-\u{200A}\u{202F}\u{205F}\u{3000}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u{115F}\u{1160}\u{3164}\u{FFA0}\u{2800}\u{180B}-\u{180F}\u{034F}]/gu;

/** Text as a finding shows it: every invisible character as `\u{…}`, at most 300 characters, the middle left out. */
export function showText(text: string): string {
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
