import { MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS } from "./archive/limits";

/** A word that is longer than this is cut through: a text without blanks, or most scripts of East Asia. */
const MAX_WORD_CHARS = 100;

/**
 * A description as agents and clients get it: at most 1,024 characters (agentskills.io specification), cut behind a word, with
 * an ellipsis that counts. `units` for clients that count as JavaScript does: 1,024 UTF-16 code units. The full text stays in
 * the files, on the skill's page and in exports of the original.
 */
export function capDescription(text: string, count: "characters" | "units" = "characters"): string {
  return capText(text, MAX_DESCRIPTION_CHARS, count);
}

/** The same for a label or an argument hint: at most 200 characters. */
export function capLabel(text: string): string {
  return capText(text, MAX_LABEL_CHARS);
}

/** The same for a text of another length. */
export function capText(text: string, max: number, count: "characters" | "units" = "characters"): string {
  if (text.length <= max) return text;
  const kept: string[] = [];
  let length = 0;
  for (const char of text) {
    length += count === "units" ? char.length : 1;
    if (length > max) return `${atWord(kept, max, count)}…`;
    kept.push(char);
  }
  return text;
}

/** One character is needed for the ellipsis; a pair of code units goes as a whole. */
function atWord(kept: string[], max: number, count: "characters" | "units"): string {
  while ((count === "units" ? kept.join("").length : kept.length) > max - 1) kept.pop();
  const text = kept.join("");
  const blank = text.search(/\s\S*$/);
  const words = blank >= text.length - MAX_WORD_CHARS ? text.slice(0, Math.max(blank, 0)).trimEnd() : "";
  return words === "" ? text.trimEnd() : words;
}
