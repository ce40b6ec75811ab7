import { expect, test } from "vitest";
import { seededWords } from "./testing/seeded-words";
import { differenceOf, resemblance, sketchOf, wordsOf } from "./text-sketch";

/** Replaces every n-th word. */
const changed = (words: string[], every: number) => words.map((word, at) => (at % every === 0 ? `${word}x` : word));
const estimate = (a: string[], b: string[]) => {
  const [one, other] = [sketchOf(a), sketchOf(b)];
  if (one === null || other === null) throw new Error("a text is too short");
  return resemblance(one, other, 0);
};

/** The share of common word triples, computed exactly. */
function exact(a: string[], b: string[]): number {
  const triples = (words: string[]) => new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(" ")));
  const [one, other] = [triples(a), triples(b)];
  const common = [...one].filter((triple) => other.has(triple)).length;
  return common / (one.size + other.size - common);
}

test("the estimate is within three standard errors of the exact share for changed texts", () => {
  for (const every of [3, 5, 10, 20, 100]) {
    const words = seededWords(600, every);
    const other = changed(words, every);
    expect(Math.abs(estimate(words, other) - exact(words, other)), `every ${every}`).toBeLessThan(0.19);
  }
});

test("equal texts resemble each other fully, unrelated ones hardly", () => {
  const words = seededWords(300, 1);
  expect(estimate(words, [...words])).toBe(1);
  expect(estimate(words, seededWords(300, 2))).toBeLessThan(0.15);
});

test("the difference is the share of changed words, rounded up", () => {
  const words = seededWords(1_000, 3);
  expect(differenceOf(words, [...words])).toBe(0);
  expect(differenceOf(words, changed(words, 1_000))).toBe(1);
  expect(differenceOf(words, changed(words, 10))).toBe(10);
  expect(differenceOf(words, [])).toBe(100);
  expect(differenceOf([], [])).toBe(0);
});

test("markup, letter case, spaces and invisible characters make no difference; short texts have no sketch", () => {
  expect(wordsOf("# Tidy  *the*\n\nNotes!")).toEqual(wordsOf("tidy the notes"));
  expect(sketchOf(wordsOf("only a few words here"))).toBeNull();
});
