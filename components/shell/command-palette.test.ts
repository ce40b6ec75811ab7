import { expect, test } from "vitest";
import { scorePaletteEntry } from "./command-palette";

test.each([
  ["an exact start", "csv-summary 1", "csv", [], 1],
  ["a later word", "csv-summary 1", "sum", [], 0.8],
  ["the middle of a word", "csv-summary 1", "ummar", [], 0.6],
  ["a keyword", "Settings", "tokens", ["Your account, tokens and this server"], 0.4],
  ["words in any order", "Theme: Dark", "dark colour", ["colour"], 0.4],
  ["scattered letters", "Settings", "csv", ["Your account, tokens and this server"], 0],
  ["a typing error in the name", "csv_summary 1", "sumary", [], 0.2],
  ["a typing error in a keyword", "Settings", "acount", ["Your account, tokens and this server"], 0],
  ["nothing typed", "Runs", "", [], 1],
])("scores %s", (_name, value, typed, keywords, score) => {
  expect(scorePaletteEntry(value, typed, keywords)).toBe(score);
});
