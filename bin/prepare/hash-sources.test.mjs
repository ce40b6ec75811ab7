import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hashSources } from "./stamp.mjs";

let root;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "skillgate-hash-"));
  mkdirSync(path.join(root, "app", "deep"), { recursive: true });
  write("app/page.tsx", "page");
  write("app/deep/part.tsx", "part");
  write("next.config.mjs", "config");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (file, content) => writeFileSync(path.join(root, file), content);
const hash = (options) => hashSources(root, ["app", "next.config.mjs", "proxy.ts"], options);

it.each([
  ["a content", () => write("app/deep/part.tsx", "tart")],
  ["a new file", () => write("app/new.tsx", "")],
  ["a file that appears by name", () => write("proxy.ts", "")],
  ["a removed file", () => rmSync(path.join(root, "app/page.tsx"))],
  ["a renamed file", () => renameSync(path.join(root, "app/page.tsx"), path.join(root, "app/pages.tsx"))],
])("changes with %s", (_, change) => {
  const before = hash();
  change();
  expect(hash()).not.toBe(before);
});

it.each([
  ["a newer time of the same content", () => utimesSync(path.join(root, "app/page.tsx"), 1, 1)],
  ["a hidden file", () => write("app/.swp", "x")],
  ["a file elsewhere", () => write("README.md", "x")],
])("stays with %s", (_, change) => {
  const before = hash();
  change();
  expect(hash()).toBe(before);
});

it("stays when only what is skipped changes", () => {
  const skip = (file) => file.endsWith(".test.ts");
  const before = hash({ skip });
  write("app/page.test.ts", "x");
  expect(hash({ skip })).toBe(before);
});
