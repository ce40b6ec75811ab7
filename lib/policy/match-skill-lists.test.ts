import fc from "fast-check";
import { expect, test } from "vitest";
import { whyListsExclude } from "./match-skill-lists";

const skill = { name: "CSV Report", slug: "csv-report", toolName: "csv_report" };

test.each([
  ["no lists", [], [], null],
  ["an allow list with its slug", ["csv-*"], [], null],
  ["an allow list with its tool name", ["csv_report"], [], null],
  ["an allow list in other case", ["CSV-REPORT"], [], null],
  ["an allow list of others", ["pdf-*"], [], "persona-allow"],
  ["a deny list", [], ["*report"], "persona-deny"],
  ["deny over allow", ["csv-*"], ["csv-report"], "persona-deny"],
  ["alternatives", ["{csv,pdf}-report"], [], null],
  ["a negation, which is taken by its letters", ["!pdf-*"], [], "persona-allow"],
])("%s", (_title, allow, deny, expected) => {
  expect(whyListsExclude({ allow, deny }, skill)?.rule ?? null).toBe(expected);
});

test("for any globs, no allow list permits a denied skill", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 })), fc.array(fc.string({ maxLength: 30 })), (allow, more) => {
      const deny = ["csv-report", ...more];
      expect(whyListsExclude({ allow: [...allow, "*"], deny }, skill)?.rule).toBe("persona-deny");
    }),
  );
});
