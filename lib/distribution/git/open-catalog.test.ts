import { expect, test } from "vitest";
import { fitsGit } from "./open-catalog";

const files = (path: string) => ({ files: [{ path, mode: "644" as const, size: 1, sha256: "" }] });

test.each([
  ".git/config",
  "a/.GIT/x",
  ".gitmodules",
  "a/git~1",
  ".git ",
  "a/.g\u200cit/x",
  "a\\.git\\x",
  ".git::$INDEX_ALLOCATION",
])("%s would break every clone", (path) => {
  expect(fitsGit(files(path))).toBe(false);
});

test.each([".gitignore", ".gitattributes", ".github/x.yml", "git/x", "a.git"])("%s is harmless", (path) => {
  expect(fitsGit(files(path))).toBe(true);
});
