import { expect, test } from "vitest";
import { z } from "zod";
import { fieldErrors, fieldLabel, fieldSentence } from "./field-errors";

const say = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error ? fieldErrors(error, "The body").map(({ message }) => message) : [];
};
const field = (schema: z.ZodType, value: unknown) => say(z.object({ name: schema }), { name: value });

test.each([
  ["invalid_type, missing", z.string(), undefined, "Name is required."],
  ["invalid_type, text", z.string(), 7, "Name must be text."],
  ["invalid_type, number", z.coerce.number(), "x", "Name must be a number."],
  ["invalid_type, whole number", z.number().int(), 1.5, "Name must be a whole number."],
  ["invalid_type, boolean", z.boolean(), "yes", "Name must be true or false."],
  ["invalid_type, list", z.array(z.string()), "a", "Name must be a list."],
  ["invalid_type, object", z.object({}), [], "Name must be an object."],
  ["invalid_type, date", z.date(), "x", "Name must be a date."],
  ["invalid_type, no value", z.never(), 1, "Name must be left out."],
  ["too_small, empty", z.string().min(1), "", "Name must not be empty."],
  ["too_small, text", z.string().min(3), "a", "Name must have at least 3 characters."],
  ["too_small, list", z.array(z.string()).min(2), ["a"], "Name must have at least 2 entries."],
  ["too_small, number", z.number().min(2), 1, "Name must be at least 2."],
  ["too_small, exclusive", z.number().positive(), 0, "Name must be more than 0."],
  [
    "too_small, date",
    z.date().min(new Date(0)),
    new Date(-1),
    "Name must be no earlier than 1970-01-01T00:00:00.000Z.",
  ],
  ["too_big, text", z.string().max(1), "ab", "Name must have at most 1 character."],
  ["too_big, exact", z.string().length(2), "abc", "Name must have exactly 2 characters."],
  ["too_big, number", z.number().lt(2), 2, "Name must be less than 2."],
  ["too_big, beyond whole numbers", z.number().int(), 1e30, "Name is too large."],
  ["invalid_format, email", z.email(), "x", "Name must be an email address."],
  ["invalid_format, URL", z.url(), "x", "Name must be a URL, e.g. https://example.org."],
  ["invalid_format, time", z.iso.datetime(), "x", "Name must be a time in UTC, e.g. 2026-11-23T14:00:00Z."],
  ["invalid_format, id", z.uuid(), "x", "Name must be an ID."],
  ["invalid_format, pattern", z.string().regex(/^a$/), "b", "Name has characters or a form that are not allowed."],
  ["invalid_format, start", z.string().startsWith("sgt_"), "b", "Name must start with “sgt_”."],
  ["invalid_format, end", z.string().endsWith(".md"), "b", "Name must end with “.md”."],
  ["invalid_format, part", z.string().includes("@"), "b", "Name must contain “@”."],
  ["invalid_format, other", z.templateLiteral(["v", z.number()]), "b", "Name has the wrong form."],
  ["not_multiple_of", z.number().multipleOf(5), 7, "Name must be a multiple of 5."],
  ["unrecognized_keys", z.strictObject({}), { other: 1 }, "Name has fields that are not known: other."],
  ["invalid_union", z.union([z.string(), z.null()]), 7, "Name must be text, or must be null."],
  ["invalid_union, missing", z.union([z.string(), z.null()]), undefined, "Name is required."],
  ["invalid_union, inside", z.union([z.object({ a: z.string() }), z.null()]), {}, "Name is invalid: A is required."],
  [
    "invalid_key",
    z.record(z.string().max(1), z.string()),
    { ab: "" },
    "Name, ab has an invalid name: it must have at most 1 character.",
  ],
  [
    "invalid_element",
    z.map(z.date(), z.string()),
    new Map([[new Date(0), 1]]),
    "Name has an invalid entry: it must be text.",
  ],
  ["invalid_value, one", z.literal("a"), "b", "Name must be a."],
  ["invalid_value, some", z.enum(["a", "b"]), "c", "Name must be one of: a, b."],
  ["custom", z.string().refine(() => false), "a", "Name is not valid."],
  ["custom, with a predicate", z.string().refine(() => false, "must be odd"), "a", "Name must be odd."],
  ["custom, with advice", z.string().refine(() => false, "choose another"), "a", "Name: choose another."],
  ["custom, with a sentence", z.string().refine(() => false, "Choose another."), "a", "Choose another."],
])("%s", (_code, schema, value, message) => {
  expect(field(schema, value)).toEqual([message]);
});

test("a union by a key lists its values", () => {
  const either = z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]);
  expect(say(either, { kind: "c" })).toEqual(["Kind must be one of: a, b."]);
});

test("the value itself is named as the caller says", () => {
  expect(say(z.object({}), null)).toEqual(["The body must be an object."]);
  expect(say(z.strictObject({}), { x: 1, y: 2 })).toEqual(["The body has fields that are not known: x, y."]);
});

test.each([
  ["repoUrl", "Repository"],
  ["expect.0.name", "Expected columns, row 1, name"],
  ["grants.credentials.2.as", "Grants, credentials, row 3, as"],
  ["maxTimeoutSeconds", "Max timeout (seconds)"],
  ["importMiBPerDay", "Import MiB per day"],
  ["device_code", "Device code"],
  ["files.SKILL-2", "Files, “SKILL-2”"],
])("%s is called %s", (path, label) => {
  expect(fieldLabel(path)).toBe(label);
});

test("a problem of a skill’s arguments is a sentence too", () => {
  expect(fieldSentence({ path: "expect.0.name", message: "is required" }, "The arguments")).toBe(
    "Expected columns, row 1, name is required.",
  );
});

test("fields that callers name like properties of every object are quoted", () => {
  expect(say(z.strictObject({}), { constructor: 1, __proto__: 2, toString: 3 })).toEqual([
    "The body has fields that are not known: constructor, to string.",
  ]);
  expect(fieldLabel("constructor.valueOf")).toBe("Constructor, value of");
});
