/** ESC [ … letter, ESC ] … BEL or ST, and two-character escapes: colours, titles, cursor moves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const ansi =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g;

/** Controls other than tab, and characters that turn the direction of text or hide in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const invisible = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A line of a log as it may be shown: colours are taken out, other controls become visible. */
export function toVisibleText(text: string): string {
  return text.replace(ansi, "").replace(invisible, showCharacter);
}

function showCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
