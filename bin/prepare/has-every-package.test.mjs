import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hasEveryPackage } from "./install.mjs";

const a = { version: "1.0.0", integrity: "sha512-a" };
const otherPlatform = { version: "1.0.0", integrity: "sha512-o", optional: true };

let root;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "skillgate-packages-"));
  mkdirSync(path.join(root, "node_modules", "a"), { recursive: true });
  writeFileSync(path.join(root, "node_modules", "a", "package.json"), "{}");
  record("package-lock.json", { "": { name: "app" }, "node_modules/a": a, "node_modules/o": otherPlatform });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const record = (file, packages) => writeFileSync(path.join(root, file), JSON.stringify({ packages }));
const recordInstalled = (packages) => record("node_modules/.package-lock.json", packages);

it("accepts an install by hand of the same versions", () => {
  recordInstalled({ "node_modules/a": a });
  expect(hasEveryPackage(root)).toBe(true);
});

it.each([
  ["npm left no record", () => {}],
  ["a package is missing from the record", () => recordInstalled({})],
  ["a version differs", () => recordInstalled({ "node_modules/a": { ...a, version: "1.0.1" } })],
  ["the contents differ", () => recordInstalled({ "node_modules/a": { ...a, integrity: "sha512-x" } })],
  [
    "a recorded package is gone from the disk",
    () => {
      recordInstalled({ "node_modules/a": a });
      rmSync(path.join(root, "node_modules", "a"), { recursive: true });
    },
  ],
])("asks for an install when %s", (_, change) => {
  change();
  expect(hasEveryPackage(root)).toBe(false);
});

it("asks for packages that only development needs where they are wanted", () => {
  record("package-lock.json", { "node_modules/a": a, "node_modules/d": { version: "1.0.0", dev: true } });
  recordInstalled({ "node_modules/a": a });
  expect(hasEveryPackage(root, { development: false })).toBe(true);
  expect(hasEveryPackage(root, { development: true })).toBe(false);
});
