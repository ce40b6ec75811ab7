import { MAX_CHECKED } from "../scan/limits";
import type { Hit, Rule } from "../scan/rule";
import { isLookalike, isMixed } from "../scan/views/fold-word";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Greek letters that are read as Latin ones. Others mark units and formulas. */
const DECEIVING = /[ονιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

export const mixedScripts: Rule = {
  id: "HID-008",
  version: 1,
  severity: "medium",
  title: "Word of mixed scripts",
  why: "A letter from another alphabet looks like the one it replaces: a name or host is not the one it seems to be.",
  owasp: ["ASI04", "ASI09"],
  decoded: false,
  checkFile: ({ text, path }) => {
    const hits: Hit[] = (path.match(WORD) ?? []).filter(isDeceiving).map(() => ({ text: path }));
    if (!/[\u0370-\u058F]/.test(text)) return hits;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (isDeceiving(word))
        hits.push({ start: index, end: index + word.length, text: `${word} (${codePointsOf(word)})` });
      if (hits.length >= MAX_CHECKED) break;
    }
    return hits;
  },
};

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
