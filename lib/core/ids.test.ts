import { expect, test } from "vitest";
import { isIdShaped, newId, takeRandom } from "./ids";

test("ids are UUIDv7 and sort in the order they were made, also within a millisecond", () => {
  const ids = Array.from({ length: 10_000 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(["01890a5d-ac96-774b-bcce-b302099a8057", "01890A5D-AC96-774B-BCCE-B302099A8057"])(
  "%s is shaped like an id",
  (text) => {
    expect(isIdShaped(text)).toBe(true);
  },
);

test.each(["csv-summary", "01890a5d", ""])("%j is not shaped like an id", (text) => {
  expect(isIdShaped(text)).toBe(false);
});

test("gives out as many bytes as asked for, none of them twice, and keeps none of them in what it gave", () => {
  const given = Array.from({ length: 1_000 }, () => takeRandom(16));
  const texts = given.map((bytes) => bytes.toString("hex"));
  expect(new Set(texts).size).toBe(1_000);
  expect(new Set(texts.map(({ length }) => length))).toEqual(new Set([32]));
  expect(given.map((bytes) => bytes.toString("hex"))).toEqual(texts);
});
