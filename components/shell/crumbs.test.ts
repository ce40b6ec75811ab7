import { expect, test } from "vitest";
import { crumbsFromPath } from "./crumbs";

test.each([
  ["/skills", ["My skills"]],
  ["/skills/csv-summary", ["My skills", "csv-summary"]],
  ["/runs/0198f2a1-7c1e-7000-8000-000000000000", ["Runs", "0198f2a1"]],
  ["/skills/a%20b", ["My skills", "a b"]],
  ["/skills/%", ["My skills", "%"]],
])("%s", (path, labels) => {
  expect(crumbsFromPath(path).map((crumb) => crumb.label)).toEqual(labels);
});
