import "@/lib/testing/property-seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvals } from "./read-version-evals";

const file = (path: string, text: string) => ({ path, mode: "644" as const, bytes: new TextEncoder().encode(text) });
const read = (value: unknown) => readEvals([file("evals/evals.json", JSON.stringify(value))]);

test("the known form is read: expectations are judged, files are given, and the expected output is kept", () => {
  const known = {
    skill_name: "sums",
    evals: [
      { id: 1, prompt: "Sum it", expected_output: "42", files: ["evals/a.csv"], expectations: ["It says 42"] },
      { id: 2, prompt: "Sum this", expected_output: "7" },
    ],
  };
  const { cases, diagnostics } = readEvals([
    file("evals/evals.json", JSON.stringify(known)),
    file("evals/a.csv", "40,2\n"),
    file("evals/nested/other.json", "[]"),
    file("references/evals.json", "not read"),
  ]);
  expect(diagnostics).toEqual([]);
  expect(cases).toEqual([
    {
      ...{ id: "1", path: "evals/evals.json", prompt: "Sum it", expected: "42" },
      files: [{ path: "evals/a.csv", text: "40,2\n" }],
      checks: [{ kind: "judged", value: "It says 42" }],
    },
    {
      ...{ id: "2", path: "evals/evals.json", prompt: "Sum this", expected: "7", files: [] },
      checks: [{ kind: "judged", value: "The answer is what is expected: 7" }],
    },
  ]);
});

test("a plain list in YAML is read, with every kind of check under the name that fits it", () => {
  const text = `
- prompt: Say hello
  expected: hello
  checks:
    - {kind: contains, value: hello}
    - {kind: not_contains, text: bye}
    - {kind: regex, pattern: "^h.*o$"}
    - {kind: json_equals, json: {a: [1, 2]}}
    - {kind: tool_called, tool: echo_args}
    - {kind: skill_used}
    - {kind: max_steps, steps: 3}
`;
  const { cases, diagnostics } = readEvals([file("evals/hello.yaml", text)]);
  expect(diagnostics).toEqual([]);
  expect(cases[0]?.checks).toEqual([
    { kind: "contains", value: "hello" },
    { kind: "not_contains", value: "bye" },
    { kind: "regex", value: "^h.*o$" },
    { kind: "json_equals", value: { a: [1, 2] } },
    { kind: "tool_called", value: "echo_args" },
    { kind: "skill_used", value: null },
    { kind: "max_steps", value: 3 },
  ]);
});

test.each([
  ["a pattern that looks back", [{ prompt: "a", checks: [{ kind: "regex", value: "(a)\\1" }] }], "pattern"],
  ["a pattern that is too large", [{ prompt: "a", checks: [{ kind: "regex", value: "(a{900}){900}" }] }], "too large"],
  ["an unknown kind", [{ prompt: "a", checks: [{ kind: "shell", value: "rm" }] }], "no kind"],
  ["a kind of every object", [{ prompt: "a", checks: [{ kind: "constructor", value: "x" }] }], "no kind"],
  ["no prompt", [{ expected: "b" }], "prompt"],
  ["nothing to hold it against", [{ prompt: "a" }], "no check and no expected output"],
  ["a file that is not there", [{ prompt: "a", expected: "b", files: ["../../etc/passwd"] }], "missing"],
  ["more than 64 KiB", [{ prompt: "a".repeat(65_536), expected: "b" }], "64 KiB"],
  ["no list", { cases: [] }, "neither a list"],
])("%s is a diagnostic and no case", (_what, value, message) => {
  const { cases, diagnostics } = read(value);
  expect(cases).toEqual([]);
  expect(diagnostics).toMatchObject([{ path: "evals/evals.json", message: expect.stringContaining(message) }]);
});

test("a case with one bad check is left out whole: it would pass more easily than was meant", () => {
  const { cases, diagnostics } = read([
    {
      id: "mixed",
      prompt: "a",
      checks: [
        { kind: "contains", value: "b" },
        { kind: "max_steps", value: 0 },
      ],
    },
    { id: "good", prompt: "a", checks: [{ kind: "contains", value: "b" }] },
  ]);
  expect(cases.map(({ id }) => id)).toEqual(["good"]);
  expect(diagnostics).toHaveLength(1);
});

test("only 100 cases are read, duplicate ids get a number, and YAML aliases are refused", () => {
  const many = read(Array.from({ length: 101 }, () => ({ id: "same", prompt: "a", expected: "b" })));
  expect(many.cases).toHaveLength(100);
  expect(new Set(many.cases.map(({ id }) => id)).size).toBe(100);
  expect(many.diagnostics).toMatchObject([{ message: expect.stringContaining("100") }]);
  const aliases = readEvals([file("evals/a.yaml", "a: &a [x, x]\nevals: [*a, *a]\n")]);
  expect(aliases).toMatchObject({ cases: [], diagnostics: [{ message: expect.stringContaining("aliases") }] });
  const deep = readEvals([file("evals/a.yml", "[".repeat(5_000))]);
  expect(deep.cases).toEqual([]);
  expect(deep.diagnostics).toHaveLength(1);
});

const anyCheck = fc.record({ kind: fc.string(), value: fc.jsonValue() });
const someCheck = fc.record({
  kind: fc.constantFrom("contains", "regex", "json_equals", "max_steps", "judged"),
  value: fc.jsonValue(),
});
const anyCase = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer()),
    prompt: fc.string(),
    expected: fc.jsonValue(),
    files: fc.array(fc.string(), { maxLength: 2 }),
    checks: fc.array(fc.oneof(anyCheck, someCheck), { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

test("any content of evals/ yields cases that can be run and stored, and reading it again gives the same", () => {
  const content = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.array(anyCase, { maxLength: 6 }).map((value) => JSON.stringify(value)),
    fc.array(anyCase, { maxLength: 6 }).map((evals) => JSON.stringify({ skill_name: "x", evals })),
  );
  const names = fc.constantFrom("evals/a.json", "evals/b.yaml", "evals/c.YML");
  fc.assert(
    fc.property(fc.array(fc.tuple(names, content), { maxLength: 3 }), (given) => {
      const files = given.map(([path, text]) => file(path, text));
      const first = readEvals(files);
      expect(readEvals(files)).toEqual(first);
      for (const { prompt, checks, id } of first.cases) {
        expect(prompt.trim()).not.toBe("");
        expect(checks.length).toBeGreaterThan(0);
        expect(/[\0\ud800-\udfff]/.test(`${prompt}${id}`.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))).toBe(false);
      }
      expect(new Set(first.cases.map(({ id }) => id)).size).toBe(first.cases.length);
    }),
    { numRuns: 300 },
  );
});
