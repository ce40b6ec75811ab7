import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { REDACTED, storedData, storedValue } from "./record-event";

test("values of fields with secret names are redacted at any depth", () => {
  const value = {
    user: "ann",
    password: "p",
    nested: [{ api_key: "k", tokens: 3 }],
    clientSecret: "s",
    authorization: "",
  };
  expect(JSON.parse(storedValue(value) ?? "")).toEqual({
    ...{ user: "ann", password: REDACTED, nested: [{ api_key: REDACTED, tokens: 3 }], clientSecret: REDACTED },
    authorization: "",
  });
});

test("a value up to 4 KiB stays; a longer one is its digest and length", () => {
  const fits = "x".repeat(4094);
  expect(storedValue(fits)).toBe(JSON.stringify(fits));
  const long = `${fits}x`;
  expect(JSON.parse(storedValue(long) ?? "")).toEqual({
    omitted: { sha256: sha256Hex(JSON.stringify(long)), length: 4097 },
  });
  expect(JSON.parse(storedData({ short: 1, long, gone: undefined }))).toEqual({
    short: 1,
    long: { omitted: expect.anything() },
  });
});

test("nothing and null are told apart", () => {
  expect([storedValue(undefined), storedValue(null), storedData(undefined)]).toEqual([null, "null", "{}"]);
});
