import fc from "fast-check";
import { expect, it } from "vitest";
import { isFailure, parseYamlBlock } from "./parse-yaml-block";
import { readPlainBlock } from "./read-block";

it.each([
  "name: tide-tables\ndescription: Looks up tides (all ports), e.g. 10:30.",
  'name: "x"\ndescription: "Looks up: tides #1, \'quoted\' — ok"',
  "name: a\nuser-invocable: true\ndisable-model-invocation: false\nallowed-tools: Bash(git:*), Read",
  "name: a#b\ndescription: see http://x.example/#y",
  "a: 1.10\nb: 12\nc: 1.0.0\nd: 2026-04-17\ne: 0x1F\nf: 1e3\ng: 1e+21\nh: 012\ni: 0o7\nj: 10:30\nk: 1.5\nl: 1_000\nm: 9007199254740993",
  'name: ""\nx: yes\ny: a 表 日本語',
])("reads plain lines as the YAML package does: %j", (block) => {
  expect(readPlainBlock(block)).not.toBeNull();
  expect(readPlainBlock(block)).toEqual(parseYamlBlock(block));
});

it.each([
  ...["", "name: a\n", "name:", "name: ", "name: a ", "name:  a", "name:\ta", " name: a", "name: a\n  b", "- a"],
  ...["a: b: c", "a: b #c", "a: b:", "a: -1", "a: [b]", "a: 'b'", 'a: "b" c', 'a: "\\n"', 'a: "b', "a: |\n  b"],
  ...["a: null", "a: NULL", "a: True", "null: a", "true: a", "constructor: a", "a: b\na: c", "a: &b c", "a: b\n---"],
  ...["a: b\u2028c", "a: b\ud800", "a: b\ufeff", "a: b\u0085", "a: b\u0007", "é: a", "a: é", "a: b\tc"],
])("leaves other blocks to the YAML package: %j", (block) => {
  expect(readPlainBlock(block)).toBeNull();
});

it("never differs from the YAML package", () => {
  const start = fc.constantFrom(..."abTtNn019\"'-é".split(""), "true", "null", "0x", "0o7", "1.");
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(..."a |b|0|.|e|:x|#x|, |-|+".split("|")) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(..."\"|'|: | #|\n|\nc: |  |\\|é|\u00a0|{|[|&|*|!|%|@|`|\t".split("|"), "|"),
    },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2 }) },
  );
  const line = fc.tuple(fc.constantFrom("a", "b", "name", "null", "True"), start, fc.array(piece, { maxLength: 5 }));
  const block = fc
    .array(line, { minLength: 1, maxLength: 2 })
    .map((lines) => lines.map(([key, first, rest]) => `${key}: ${first}${rest.join("")}`).join("\n"));
  let answered = 0;
  fc.assert(
    fc.property(block, (text) => {
      const plain = readPlainBlock(text);
      if (plain === null) return;
      answered += 1;
      const full = parseYamlBlock(text);
      expect(isFailure(full)).toBe(false);
      expect(plain).toEqual(full);
    }),
    { numRuns: 4_000 },
  );
  expect(answered).toBeGreaterThan(100);
});
