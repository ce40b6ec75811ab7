/** Controls, and characters that turn the direction of text or hide in it. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A tab is drawn; the two joiners belong to scripts and emoji. */
const kept = new Set(["\t", "\u200c", "\u200d"]);

/** Text of a log as it may be shown: what would not be seen becomes visible. */
export function showHidden(text: string): string {
  return text.replace(invisible, (character) => (kept.has(character) ? character : show(character)));
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
