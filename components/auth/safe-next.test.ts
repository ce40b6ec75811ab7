import { expect, test } from "vitest";
import { safeNext } from "./safe-next";

test.each(["/runs", "/skills/csv-summary?tab=files#L3", "/reviews/a%2Fb"])("keeps %s", (next) => {
  expect(safeNext(next)).toBe(next);
});

test.each([
  null,
  "",
  "runs",
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example/",
  "/\t/evil.example/",
  "/..//evil.example/",
  "/./\\evil.example",
  "javascript:alert(1)",
  "/api/auth/signout",
  "/sign-in?next=/sign-in",
])("leads to the home page instead of %j", (next) => {
  expect(safeNext(next)).toBe("/skills");
});
