import { expect, test } from "vitest";
import { lineOfText } from "./schema";

test.each([
  ["NUL", "a\0b"],
  ["an escape", "a\u001b[31mb"],
  ["a line break", "a\nb"],
  ["a C1 control", "a\u009bb"],
  ["a line separator", "a\u2028b"],
  ["a turned direction", "a\u202eb"],
  ["half a surrogate pair", "a\ud800b"],
  ["nothing but spaces", "  "],
  ["too many characters", "a".repeat(11)],
])("a name with %s is refused", (_what, text) => {
  expect(lineOfText(10).safeParse(text).success).toBe(false);
});

test("names in any script are kept, without the spaces around them", () => {
  for (const name of ["Zoë", "李雷", "مريم", "👩‍🔬 lab", "O’Neil-2"])
    expect(lineOfText(10).parse(` ${name} `)).toBe(name);
});
