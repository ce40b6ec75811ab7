import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { findSkills, readSkillFiles } from "./main";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "scan-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: string | Uint8Array = "text"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

it("finds each folder with a SKILL.md in any letter case; files belong to the nearest one above", () => {
  for (const path of [
    "SKILL.md",
    "a.txt",
    "x/skill.MD",
    "x/s/run.sh",
    "x/in/Skill.md",
    "x/in/b.py",
    ".git/config",
    "y/notes.md",
  ])
    write(path);
  chmodSync(join(root, "x/s/run.sh"), 0o755);
  const found = findSkills(root).map(({ skill, files }) => [skill, files.map(({ path, mode }) => `${mode} ${path}`)]);
  expect(found).toEqual([
    [".", ["644 SKILL.md", "644 a.txt", "644 y/notes.md"]],
    ["x", ["755 s/run.sh", "644 skill.MD"]],
    ["x/in", ["644 Skill.md", "644 b.py"]],
  ]);
});

it("reports what it did not read: links and large files", () => {
  write("SKILL.md");
  write("big.bin", new Uint8Array(MAX_FILE_BYTES + 1));
  symlinkSync("/etc/hostname", join(root, "link"));
  const [skill] = findSkills(root);
  const { files, unread } = readSkillFiles(skill ?? { skill: ".", files: [], unread: [] });
  expect(files.map(({ path }) => path)).toEqual(["SKILL.md"]);
  expect(unread.map(({ path }) => path).sort()).toEqual(["big.bin", "link"]);
});

it("reports a file that was removed after the folder was listed", () => {
  write("SKILL.md");
  write("gone.txt");
  const [skill] = findSkills(root);
  rmSync(join(root, "gone.txt"));
  const { unread } = readSkillFiles(skill ?? { skill: ".", files: [], unread: [] });
  expect(unread).toEqual([{ path: "gone.txt", text: "The file cannot be read: ENOENT." }]);
});

it("finds nothing where there is no skill", () => {
  write("README.md");
  expect(findSkills(root)).toEqual([]);
});
