import { MAX_DESCRIPTION_CHARS, MAX_LABEL_CHARS } from "./archive/limits";

/** Longer words are cut inside: text without spaces, or most East Asian scripts. */
const MAX_WORD_CHARS = 100;

/**
 * Cuts a description for agents and clients to 1,024 characters (agentskills.io specification) after a word, including
 * the ellipsis. With `units`, counts UTF-16 code units as JavaScript clients do. Files, the skill's page and original
 * exports keep the full text.
 */
export function capDescription(text: string, count: "characters" | "units" = "characters"): string {
  return capText(text, MAX_DESCRIPTION_CHARS, count);
}

/** Cuts a label or an argument hint to 200 characters. */
export function capLabel(text: string): string {
  return capText(text, MAX_LABEL_CHARS);
}

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

/** Reserves one character for the ellipsis and never splits a surrogate pair. */
function atWord(kept: string[], max: number, count: "characters" | "units"): string {
  while ((count === "units" ? kept.join("").length : kept.length) > max - 1) kept.pop();
  const text = kept.join("");
  const blank = text.search(/\s\S*$/);
  const words = blank >= text.length - MAX_WORD_CHARS ? text.slice(0, Math.max(blank, 0)).trimEnd() : "";
  return words === "" ? text.trimEnd() : words;
}
