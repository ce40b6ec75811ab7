import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readStamp, removeStamp, writeStamp } from "./stamp.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "skillgate-stamp-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("reads back what was written and leaves nothing beside it", () => {
  const file = path.join(folder, "new", "stamp.json");
  writeStamp(file, { sources: "abc" });
  expect(readStamp(file)).toEqual({ sources: "abc" });
  expect(readdirSync(path.dirname(file))).toEqual(["stamp.json"]);
});

it("proves nothing when it is absent, removed or cut short", () => {
  const file = path.join(folder, "stamp.json");
  expect(readStamp(file)).toBeNull();
  writeStamp(file, {});
  removeStamp(file);
  expect(readStamp(file)).toBeNull();
  writeFileSync(file, '{"sources": "ab');
  expect(readStamp(file)).toBeNull();
});
