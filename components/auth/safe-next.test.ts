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
])("returns the home page for %j", (next) => {
  expect(safeNext(next)).toBe("/skills");
});
