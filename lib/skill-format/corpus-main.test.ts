import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { countOutcomes, findSkillFiles } from "./corpus-main";

const shapes = fileURLToPath(new URL("./fixtures/shapes/", import.meta.url));

it("counts each file of a folder in exactly one outcome, without exceptions", () => {
  const count = countOutcomes(findSkillFiles(shapes));
  const { strict, recovered, inferred, unusable, exceptions } = count;
  const total = Object.values(recovered).reduce((sum, number) => sum + number, strict + inferred + unusable);
  expect(total).toBe(count.files);
  expect(exceptions).toBe(0);
  expect(unusable).toBe(1);
  expect(Object.values(recovered).every((number) => number > 0)).toBe(true);
});

it("reads SKILL.md files at any depth, and other Markdown only where there are none", () => {
  const root = mkdtempSync(join(tmpdir(), "corpus-"));
  try {
    mkdirSync(join(root, "a", "b", "node_modules"), { recursive: true });
    writeFileSync(join(root, "one.md"), "---\nname: one\ndescription: d\n---\n");
    expect([...findSkillFiles(root)].map((file) => file.folder)).toEqual(["one"]);
    writeFileSync(join(root, "a", "b", "Skill.MD"), "---\nname: two\ndescription: d\n---\n");
    writeFileSync(join(root, "a", "b", "node_modules", "SKILL.md"), "x");
    expect([...findSkillFiles(root)].map((file) => file.folder)).toEqual(["b"]);
    expect(countOutcomes(findSkillFiles(root))).toMatchObject({ files: 1, strict: 1, withName: 1, withDescription: 1 });
  } finally {
    rmSync(root, { recursive: true });
  }
});

it("reports unreadable files and counts the rest", () => {
  const unreadable: string[] = [];
  expect([...findSkillFiles("/nowhere/at-all", (path) => unreadable.push(path))]).toEqual([]);
  expect(unreadable).toEqual(["/nowhere/at-all"]);
});
