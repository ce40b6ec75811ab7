import { expect, test } from "vitest";
import { z } from "zod";
import { plainMessage } from "./plain-message";

const messageOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message ?? "";

test.each<[string, z.ZodType, unknown, string]>([
  ["an absent value", z.string(), undefined, "Enter a value."],
  ["an empty text", z.string().min(1), "", "Enter a value."],
  ["a short text", z.string().min(8), "a", "Enter at least 8 characters."],
  ["a long text", z.string().max(3), "abcd", "Enter at most 3 characters."],
  ["a small number", z.number().min(1), 0, "Enter a number of at least 1."],
  ["a large number", z.number().max(9), 10, "Enter a number of at most 9."],
  ["a number that is not positive", z.number().positive(), 0, "Enter a number above 0."],
  ["text for a number", z.number(), "x", "Enter a number."],
  ["a fraction", z.number().int(), 1.5, "Enter a whole number."],
  ["an empty list", z.array(z.string()).min(1), [], "Select or enter at least one."],
  ["an unknown option", z.enum(["a", "b"]), "c", "Select one of the options."],
  ["a wrong email address", z.email(), "x", "Enter a valid email address."],
  ["a wrong address", z.url(), "x", "Enter a complete web address, such as https://example.org."],
  ["a wrong format", z.string().regex(/^a$/), "b", "Enter a value in the required format."],
])("%s gets a plain message", (_, schema, value, expected) => {
  expect(plainMessage(messageOf(schema, value))).toBe(expected);
});

test("other messages stay", () => {
  expect(plainMessage("That name is taken.")).toBe("That name is taken.");
});
