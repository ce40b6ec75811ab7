import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { readArchive } from "@/lib/skill-format/archive/read-archive";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { splitSkills } from "@/lib/skill-format/archive/split-skills";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { writeZip } from "./write-archive";

const digest = (files: SkillFile[]) => digestFiles(files.map((file) => ({ ...file, sha256: sha256Hex(file.bytes) })));

it("writes the same bytes for the same files in any order", async () => {
  const files = skillFiles({ "SKILL.md": "# Hello", "run.sh*": "#!/bin/sh", "docs/é 説.md": "x" });
  expect(await writeZip("a", files)).toEqual(await writeZip("a", [...files].reverse()));
});

it("does not depend on when or in which time zone it runs", async () => {
  const bytes = await writeZip("a", skillFiles({ "SKILL.md": "# Hello" }));
  expect(sha256Hex(bytes)).toMatchInlineSnapshot(`"d9f469e5c66fd1004f3193572182edf517110c9ea660a4a88bc002b2a2c734d8"`);
});

it("is read back to the same digest", async () => {
  // Every segment begins with f, because names such as "aux.x" are refused on purpose.
  const path = fc.stringMatching(/^f[a-zé ]{0,8}x(\/f[a-z0-9]{0,8}){0,3}\.x$/);
  const file = fc.record({
    path,
    mode: fc.constantFrom("644" as const, "755" as const),
    bytes: fc.uint8Array({ maxLength: 500 }),
  });
  const marker: SkillFile = { path: "SKILL.md", mode: "644", bytes: new Uint8Array() };
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { selector: (value) => value.path }), async (others) => {
      const files = [marker, ...others.map((other) => ({ ...other, path: other.path.normalize("NFC") }))];
      const bytes = await writeZip("my-skill", files);
      const archive = await readArchive({ bytes, filename: "my-skill.zip" });
      const { skills } = splitSkills(archive.files, { fallbackName: "x" });
      expect(skills.map((skill) => [skill.folder, digest(skill.files)])).toEqual([["my-skill", digest(files)]]);
    }),
    { numRuns: 50 },
  );
});

it("is read back when a file packs better than any honest one", async () => {
  const files = skillFiles({ "SKILL.md": "x", "zeros.bin": new Uint8Array(2_000_000) });
  const { files: back } = await readArchive({ bytes: await writeZip("a", files), filename: "a.zip" });
  expect(back.map((file) => file.bytes.length)).toEqual([1, 2_000_000]);
});
