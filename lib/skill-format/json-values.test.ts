import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJsonStrict } from "./json-values";

it("reads what JSON.parse reads", () => {
  const json = fc
    .jsonValue({ noUnicodeString: false })
    .filter((value) => !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const dangerous = /"(__proto__|constructor|prototype)"/.test(text);
      const result = parseJsonStrict(text);
      if (!dangerous) expect(result).toMatchObject({ ok: true, value: JSON.parse(text) });
    }),
  );
});

it("refuses what JSON.parse refuses", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'{}[],:"a\\ 1-.etrufals\n'.split("")), { maxLength: 12 }), (chars) => {
      const text = chars.join("");
      const result = parseJsonStrict(text);
      if (result.ok) expect(JSON.parse(text)).toEqual(result.value);
      else if (!/twice/.test(result.message)) expect(() => JSON.parse(text)).toThrow();
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ["", 1, "ends too early"],
  ['{\n"a": 1,\n}', 3, "a key in double quotes"],
  ['{\n"a": 1\n"b": 2}', 3, 'a "," or "}"'],
  ['{"a": 1,\n "a": 2}', 2, 'the key "a" appears twice'],
  ["// no\n{}", 1, '"/" is unexpected'],
  ["{}\nx", 2, "text after the end"],
  ['{"a": "x\ny"}', 1, "must be escaped"],
  ["[01]", 1, '"0" is unexpected'],
  ["[NaN]", 1, '"N" is unexpected'],
  ["[".repeat(100), 1, "deeper than 64"],
])("reports the line of %j", (text, line, message) => {
  expect(parseJsonStrict(text)).toMatchObject({ ok: false, line, message: expect.stringContaining(message) });
});

it("drops keys that reach a prototype and lists them", () => {
  const result = parseJsonStrict('{"a": {"__proto__": {"isAdmin": true}}, "constructor": 1}');
  expect(result).toEqual({ ok: true, value: { a: {} }, droppedKeys: ["__proto__", "constructor"] });
});

it("replaces NUL and lone surrogates", () => {
  expect(parseJsonStrict('"a\\u0000\\ud800"')).toMatchObject({ value: "a\ufffd\ufffd" });
});
