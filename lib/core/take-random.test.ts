import { expect, test } from "vitest";
import { takeRandom } from "./ids";

test("gives out as many bytes as asked for, none of them twice, and keeps none of them in what it gave", () => {
  const given = Array.from({ length: 1_000 }, () => takeRandom(16));
  const texts = given.map((bytes) => bytes.toString("hex"));
  expect(new Set(texts).size).toBe(1_000);
  expect(new Set(texts.map(({ length }) => length))).toEqual(new Set([32]));
  expect(given.map((bytes) => bytes.toString("hex"))).toEqual(texts);
});
