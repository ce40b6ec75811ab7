import { expect, test } from "vitest";
import { commitUrl, installStateOf } from "./catalog-labels";

test("the page of a commit is on the website that serves the folder", () => {
  const folder = "https://github.example.org/acme/skills/tree/3f2c9ab/skills/pdf";
  expect(commitUrl(folder, "acme/skills", "3f2c9ab")).toBe("https://github.example.org/acme/skills/commit/3f2c9ab");
  expect(commitUrl("no address", "acme/skills", "3f2c9ab")).toBeNull();
});

test("shows an update first, and a block only for entries that are not installed", () => {
  const item = { installed: false, updateAvailable: false, blocked: null, state: "present" as const };
  const blocked = { code: "submodule", reason: "It has one." };
  expect(installStateOf(item)).toBe("new");
  expect(installStateOf({ ...item, blocked })).toBe("blocked");
  expect(installStateOf({ ...item, blocked, installed: true })).toBe("installed");
  expect(installStateOf({ ...item, installed: true, updateAvailable: true })).toBe("update");
  expect(installStateOf({ ...item, state: "removed" })).toBe("removed");
});
