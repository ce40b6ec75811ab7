import { expect, test } from "vitest";
import { crumbsFromPath, pageTitle } from "./crumbs";

test.each([
  ["/skills", ["My skills"]],
  ["/skills/csv-summary", ["My skills", "csv-summary"]],
  ["/runs/0198f2a1-7c1e-7000-8000-000000000000", ["Runs", "0198f2a1"]],
  ["/skills/a%20b", ["My skills", "a b"]],
  ["/skills/%", ["My skills", "%"]],
])("%s", (path, labels) => {
  expect(crumbsFromPath(path).map((crumb) => crumb.label)).toEqual(labels);
});

test.each([
  ["/skills", [{ label: "My skills" }], "My skills · Skillgate"],
  [
    "/skills/1",
    [{ label: "My skills", href: "/skills" }, { label: "CSV summary" }],
    "CSV summary · My skills · Skillgate",
  ],
  [
    "/runs/0198f2a1-7c1e-7000-8000-00000000a4f2",
    [{ label: "Runs", href: "/runs" }, { label: "Log tail summary" }],
    "Log tail summary · Run a4f2 · Skillgate",
  ],
  [
    "/runs/groups/7",
    [{ label: "Runs" }, { label: "Disk usage on several edges" }],
    "Disk usage on several edges · Runs · Skillgate",
  ],
])("the title of %s", (path, trail, title) => {
  expect(pageTitle(trail, path, "Skillgate")).toBe(title);
});
