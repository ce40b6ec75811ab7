import { expect, test } from "vitest";
import { z } from "zod";
import { decodeCursor, encodeCursor, toPage } from "./cursor";

test("a cursor gives back the position it was made of", () => {
  const position = { at: "2026-01-02T03:04:05.000Z", id: "ä" };
  expect(decodeCursor(z.object({ at: z.string(), id: z.string() }), encodeCursor(position))).toEqual(position);
});

test.each([
  ["garbage", "%%%"],
  ["nothing", ""],
  ["JSON of another shape", encodeCursor({ id: 1 })],
  ["bytes that are not JSON", Buffer.from("{").toString("base64url")],
])("%s is a malformed cursor", (_what, cursor) => {
  expect(() => decodeCursor(z.string(), cursor)).toThrow(expect.objectContaining({ code: "malformed" }));
});

test("a page has a cursor only when there is more", () => {
  const position = (row: number) => row;
  expect(toPage([1, 2, 3], 2, position)).toEqual({ items: [1, 2], nextCursor: encodeCursor(2) });
  expect(toPage([1, 2], 2, position)).toEqual({ items: [1, 2], nextCursor: null });
  expect(toPage([], 2, position)).toEqual({ items: [], nextCursor: null });
});
