import fc from "fast-check";
import { expect, test } from "vitest";
import { correctWord, createVocabulary, editDistance, scoreText, wordsOf } from "./search-words";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 7 });
const vocabulary = (...words: string[]) => createVocabulary({ words: words.sort(), counts: words.map(() => 1) });

/** The textbook recursion for the edit distance, without a limit. */
function slipsByHand(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const replaced = slipsByHand(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1);
  const least = Math.min(replaced, slipsByHand(a.slice(0, -1), b) + 1, slipsByHand(a, b.slice(0, -1)) + 1);
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return swapped ? Math.min(least, slipsByHand(a.slice(0, -2), b.slice(0, -2)) + 1) : least;
}

test("slips are those to the nearest beginning of the other word, up to the limit", () => {
  fc.assert(
    fc.property(letters, letters, fc.integer({ min: 0, max: 2 }), (word, other, limit) => {
      const beginnings = Array.from({ length: other.length + 1 }, (_, length) => other.slice(0, length));
      const nearest = Math.min(...beginnings.map((beginning) => slipsByHand(word, beginning)));
      const counted = editDistance(word, other, limit);
      if (nearest <= limit) expect(counted).toBe(nearest);
      else expect(counted).toBeGreaterThan(limit);
    }),
  );
});

test.each([
  ["kubernets", ["kubernetes"]],
  ["scraper", ["webscraper"]],
  ["pfd", []],
  ["計画", ["計画表を作る"]],
])("instead of %s it looks for %j", (word, expected) => {
  expect(correctWord(word, vocabulary("kubernetes", "webscraper", "pdf", "計画表を作る"))).toEqual(expected);
});

test("a search is cut into words as the index cuts texts", () => {
  expect(wordsOf("  PDF-Formulare: für Übungen (v2)! PDF")).toEqual(["pdf", "formulare", "fur", "ubungen", "v2"]);
  expect(wordsOf("\"*' ()")).toEqual([]);
});

test.each([
  ["approval hours", "Approval timeout (hours)", 1],
  ["aproval", "Approval timeout (hours)", 0.5],
  ["timeuot", "Approval timeout (hours)", 0.5],
  ["out", "Approval timeout (hours)", 0.5],
  ["backup", "Approval timeout (hours)", 0],
  ["csv", "Your account, tokens and this server", 0],
  ["", "Anything", 1],
] as const)("%j scores %j with %d", (typed, text, score) => {
  expect(scoreText(typed, text)).toBe(score);
});
