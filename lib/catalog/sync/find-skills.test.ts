import fc from "fast-check";
import { expect, test } from "vitest";
import { safePath } from "@/lib/skill-format/archive/archive-entry";
import { isRepositoryPath } from "../github/names";
import { findSkills } from "./find-skills";
import type { TreeEntry } from "./source-reader";

const segment = fc.oneof(
  fc.constantFrom(
    "skills",
    "a",
    "b",
    "SKILL.md",
    "skill.md",
    "skill.json",
    "..",
    ".",
    "",
    ".git",
    "node_modules",
    "run.sh",
    "ä",
    "con",
    "x\\y",
  ),
  fc.string({ maxLength: 8 }),
);
const entry = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 12 }).map((segments) => segments.join("/")),
  mode: fc.constantFrom("100644", "100755", "120000", "160000", "040000"),
  sha: fc.constantFrom("a".repeat(40), "b".repeat(40)),
  size: fc.constantFrom(0, 10, 2_000_000, 6_000_000),
});

/** Adds the folders of the files, as git lists them. */
function withFolders(files: Omit<TreeEntry, "type">[]): TreeEntry[] {
  const folders = new Set(
    files.flatMap(({ path }) =>
      path
        .split("/")
        .slice(1)
        .map((_, index) =>
          path
            .split("/")
            .slice(0, index + 1)
            .join("/"),
        ),
    ),
  );
  return [
    ...[...folders].map((path) => ({ path, mode: "040000", type: "tree" as const, sha: "c".repeat(40) })),
    ...files.map((file) => ({ ...file, type: file.mode === "160000" ? ("commit" as const) : ("blob" as const) })),
  ];
}

test("skills of any tree have only safe paths, each file once, and refusals have a reason", () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: (one) => one.path, maxLength: 30 }), (files) => {
      const entries = withFolders(files);
      const { skills, skipped } = findSkills(entries, { folder: null, treeSha: "d".repeat(40) });
      const placed = skills.flatMap((skill) =>
        skill.files.map((file) => (skill.folder === "" ? file.path : `${skill.folder}/${file.path}`)),
      );
      expect(new Set(placed).size).toBe(placed.length);
      for (const skill of skills) {
        expect(skill.folder === "" || isRepositoryPath(skill.folder)).toBe(true);
        for (const file of skill.files) expect(safePath(file.path)).toBe(file.path);
        expect(skill.toRead[0]?.kind).toBe("file");
        expect(skill.toRead).toContain(skill.marker);
      }
      for (const note of skipped) expect(note.reason).not.toBe("");
    }),
    { numRuns: 500 },
  );
});

test("a source that is limited to a folder sees nothing else", () => {
  const file = { mode: "100644", sha: "a".repeat(40), size: 1 };
  const entries = withFolders([
    { ...file, path: "one/x/SKILL.md" },
    { ...file, path: "onetwo/y/SKILL.md" },
    { ...file, path: "SKILL.md" },
  ]);
  const { skills } = findSkills(entries, { folder: "one", treeSha: "d".repeat(40) });
  expect(skills.map((skill) => skill.folder)).toEqual(["one/x"]);
});
