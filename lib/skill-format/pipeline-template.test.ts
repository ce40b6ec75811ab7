import "@/lib/testing/property-seed";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTemplate, renderTemplate } from "./pipeline-template";

function render(text: string, values: Record<string, unknown>) {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return renderTemplate(parsed.template, new Map(Object.entries(values)));
}

test("any JSON value round-trips through a placeholder that is a whole value, with quotes and without", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(render('{"a": "{x}", "b": {x}, "c": [{x}, 1]}', { x: plain })).toEqual({
        ok: true,
        args: { a: plain, b: plain, c: [plain, 1] },
      });
    }),
  );
});

test("any text is inserted into a text unchanged and never becomes structure", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      expect(render('{"q": "about {x}!"}', { x: value })).toEqual({ ok: true, args: { q: `about ${value}!` } });
    }),
    { numRuns: 50 },
  );
  expect(render('{"q": "{x}"}', { x: '", "admin": true, "y": "\n' })).toEqual({
    ok: true,
    args: { q: '", "admin": true, "y": "\n' },
  });
});

test("inserted values are not searched for placeholders", () => {
  expect(render('{"q": "{x} {y}"}', { x: "{y}", y: "secret" })).toEqual({ ok: true, args: { q: "{y} secret" } });
});

test("a value that is not a text is inserted into a text as JSON", () => {
  expect(render('{"q": "n={n} o={o}"}', { n: 3, o: { a: [null] } })).toEqual({
    ok: true,
    args: { q: 'n=3 o={"a":[null]}' },
  });
});

test("a part of a result is reached by its path, and a key with a dot comes first", () => {
  const values = { page: { title: "T", rows: [{ id: 7 }] }, "a.b": 1 };
  expect(render('{"t": "{page.title}", "id": {page.rows.0.id}, "d": {a.b}}', values)).toEqual({
    ok: true,
    args: { t: "T", id: 7, d: 1 },
  });
});

test("an unknown placeholder is an error that names it, also for names of prototypes", () => {
  expect(render('{"a": "{x}", "b": "in {page.none}", "c": {page.constructor}}', { page: {} })).toEqual({
    ok: false,
    unknown: ["x", "page.none", "page.constructor"],
  });
});

test("doubled braces are the text itself", () => {
  expect(render('{"a": "{{x}} {x}"}', { x: 1 })).toEqual({ ok: true, args: { a: "{x} 1" } });
});

test("braces of JSON within a text are not placeholders", () => {
  expect(render('{"a": "{\\"k\\": 1} {} { x }"}', {})).toEqual({ ok: true, args: { a: '{"k": 1} {} { x }' } });
});

test.each([
  ["text that is not JSON", '{"a": }', "is not JSON"],
  ["a list", "[1]", "is not a JSON object"],
  ["a placeholder in a key", '{"{x}": 1}', 'has a placeholder in the key "{x}"'],
  ["deep nesting", `{"a": ${"[".repeat(50)}${"]".repeat(50)}}`, "is nested more than 32 levels deep"],
  ["more than 65,536 characters", `{"a": "${"x".repeat(70_000)}"}`, "is longer than"],
])("refuses %s", (_name, text, message) => {
  const parsed = parseTemplate(text);
  expect(parsed.ok ? "" : parsed.message).toContain(message);
});
