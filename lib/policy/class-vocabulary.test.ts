import { expect, test } from "vitest";
import { classOfCapabilities, classOfTerm } from "./propose-class";

test.each([
  ["safe", "safe"],
  ["read", "safe"],
  ["Write", "mutating"],
  ["destructive", "dangerous"],
  ["filesystem.edit", "mutating"],
  ["shell.exec", "dangerous"],
  ["shell:execute", "dangerous"],
  ["constructor", null],
  ["", null],
])("the word “%s” means %s", (word, expected) => {
  expect(classOfTerm(word)).toBe(expected);
});

test("capabilities need the highest class among them, and an unknown one the highest there is", () => {
  expect(classOfCapabilities([])).toBe("safe");
  expect(classOfCapabilities(["filesystem.read", "text.search"])).toBe("safe");
  expect(classOfCapabilities(["filesystem.read", "filesystem.write"])).toBe("mutating");
  expect(classOfCapabilities(["filesystem.read", "filesystem.raed"])).toBe("dangerous");
});
