import { describe, expect, it } from "vitest";
import { parseOutput } from "./describe-end";

const nested = (levels: number) => Buffer.from("[".repeat(levels) + "]".repeat(levels));

describe("parseOutput", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' \n{"a":{"b":[]}}\n', { a: { b: [] } }],
    ["[1,2]", [1, 2]],
    ['"text"', "text"],
    ["null", null],
    ["0", 0],
    ["false", false],
  ])("returns %j as it is", (text, value) => {
    expect(parseOutput(Buffer.from(text))).toEqual({ ok: true, value });
  });

  it.each([
    ["", "is empty"],
    [" \n\t", "is empty"],
    ["\ufeff{}", "byte order mark"],
    ["{}{}", "more than one JSON value"],
    ['{"a":"}"}\n{"b":1}', "more than one JSON value"],
    ["1 2", "more than one JSON value"],
    ['"a" "b"', "more than one JSON value"],
    ["{} done", 'text after its JSON value (it begins with "done")'],
    ['{"a":1},', "text after its JSON value"],
    ['{"a":NaN}', "NaN is no JSON value"],
    ["-Infinity", "Infinity is no JSON value"],
    ['{"NaN":', "cut off"],
    ['{"a":1', "cut off"],
    ["hello", 'it begins with "hello"'],
    ["{'a':1}", "is not JSON"],
    ['{"a":1,}', "is not JSON"],
    ["1e999", "beyond the range"],
  ])("refuses %j because it %s", (text, message) => {
    expect(parseOutput(Buffer.from(text))).toEqual({ ok: false, message: expect.stringContaining(message) });
  });

  it("refuses bytes that are not UTF-8", () => {
    expect(parseOutput(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ message: expect.stringContaining("UTF-8") });
  });

  it("accepts 64 levels and refuses more, also very many", () => {
    expect(parseOutput(nested(64)).ok).toBe(true);
    expect(parseOutput(nested(65))).toMatchObject({ message: expect.stringContaining("64 levels") });
    expect(parseOutput(nested(100_000))).toMatchObject({ message: expect.stringContaining("64 levels") });
  });

  it("keeps a __proto__ key a plain key", () => {
    const parsed = parseOutput(Buffer.from('{"__proto__":{"x":1}}'));
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe('{"__proto__":{"x":1}}');
  });
});
