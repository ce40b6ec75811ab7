import { expect, test } from "vitest";
import type { CatalogFile } from "../schema";
import { resolveFiles } from "./read-folder";

const encode = (text: string) => new TextEncoder().encode(text);

function listed(...files: [path: string, kind: CatalogFile["kind"], text: string][]) {
  const texts = new Map(files.map(([, , text], index) => [String(index), encode(text)]));
  const list = files.map(
    ([path, kind, text], index): CatalogFile => ({ path, kind, mode: "644", sha: String(index), size: text.length }),
  );
  return resolveFiles(list, (sha) => texts.get(sha) ?? new Uint8Array());
}

test("links inside the folder become copies; others, submodules and pointers are said", () => {
  const { files, notes } = listed(
    ["SKILL.md", "file", "hello"],
    ["docs/again.md", "symlink", "../SKILL.md"],
    ["etc", "symlink", "/etc/passwd"],
    ["up.md", "symlink", "../other/SKILL.md"],
    ["vendor", "submodule", ""],
    ["model.bin", "file", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"],
  );
  expect(files.map(({ path }) => path)).toEqual(["SKILL.md", "model.bin", "docs/again.md"]);
  expect(files[2]?.bytes).toEqual(encode("hello"));
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "submodule vendor",
    "lfs_pointer model.bin",
    "link_refused etc",
    "link_refused up.md",
  ]);
});

test("files that would land on each other, and files over a limit, are refused", () => {
  expect(() => listed(["a.md", "file", ""], ["A.md", "file", ""])).toThrow(/letter case/);
  expect(() => listed(["big", "file", "x".repeat(5 * 1024 * 1024 + 1)])).toThrow(/larger than/);
  expect(() => listed(["../x", "file", ""])).toThrow(/\.\./);
});
