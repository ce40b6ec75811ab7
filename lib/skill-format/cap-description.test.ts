import { expect, test } from "vitest";
import { capDescription, capText } from "./cap-description";

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

test.each([
  ["a short text", "Tidies notes."],
  ["1,024 characters", "x".repeat(1_024)],
  ["1,024 characters of two code units each", "😀".repeat(1_024)],
])("%s stays as it is", (_name, text) => {
  expect(capDescription(text)).toBe(text);
});

test("a longer one ends behind a word, with the ellipsis within the limit", () => {
  const capped = capDescription(words(300));
  expect([...capped].length).toBeLessThanOrEqual(1_024);
  expect([...capped].length).toBeGreaterThan(1_024 - 10);
  expect(words(300).startsWith(`${capped.slice(0, -1)} `)).toBe(true);
  expect(capped.endsWith("…")).toBe(true);
});

test("a text without blanks is cut between characters, never within one", () => {
  expect(capDescription("技".repeat(2_000))).toBe(`${"技".repeat(1_023)}…`);
  expect(capDescription("😀".repeat(1_025))).toBe(`${"😀".repeat(1_023)}…`);
  expect(capDescription("😀".repeat(1_025), "units")).toBe(`${"😀".repeat(511)}…`);
  expect(capDescription(`x${"😀".repeat(1_025)}`, "units")).toBe(`x${"😀".repeat(511)}…`);
});

test("a blank that lies far before the limit is no place to cut", () => {
  expect(capText(`a ${"b".repeat(500)}`, 300)).toBe(`a ${"b".repeat(297)}…`);
  expect(capText(" ".repeat(50) + "b".repeat(50), 60)).toBe(`${" ".repeat(50)}${"b".repeat(9)}…`);
});
