import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { extract } from "tar-stream";
import { expect, it } from "vitest";
import { sha256Hex } from "@/lib/core/hash";
import { readArchive } from "@/lib/skill-format/archive/read-archive";
import { digestFiles, type SkillFile } from "@/lib/skill-format/archive/skill-file";
import { splitSkills } from "@/lib/skill-format/archive/split-skills";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { writeTarGz, writeZip } from "./write-archive";

const segment = fc.stringMatching(/^f[a-z0-9é]{0,60}x$/);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const file = fc.record({
  path: path.map((text) => text.normalize("NFC")).filter((text) => Buffer.byteLength(text) <= 240),
  mode: fc.constantFrom("644" as const, "755" as const),
  bytes: fc.uint8Array({ maxLength: 2_000 }),
});
const skill = fc.uniqueArray(file, { selector: (one) => one.path.toLowerCase().split("/")[0], maxLength: 8 });
const marker: SkillFile = { path: "SKILL.md", mode: "644", bytes: new Uint8Array([1]) };

const shown = (files: SkillFile[]) =>
  [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path: name, mode, bytes }) => [name, mode, Buffer.from(bytes).toString("hex")]);

async function headersOf(bytes: Uint8Array) {
  const source = extract();
  source.end(gunzipSync(bytes));
  const headers = [];
  for await (const stream of source) {
    headers.push(stream.header);
    stream.resume();
  }
  return headers;
}

it("is read back to the same files, from tar and from a zip at the root, in any order", async () => {
  await fc.assert(
    fc.asyncProperty(skill, async (others) => {
      const files = [marker, ...others];
      for (const [bytes, filename] of [
        [await writeTarGz(files), "a.tar.gz"],
        [await writeZip("", files), "a.zip"],
      ] as const) {
        if (bytes === null) continue;
        const back = await readArchive({ bytes, filename });
        expect(shown(back.files)).toEqual(shown(files));
        const again = filename === "a.zip" ? await writeZip("", files.reverse()) : await writeTarGz(files.reverse());
        expect(again).toEqual(bytes);
      }
    }),
    { numRuns: 60 },
  );
});

it("is plain ustar: files only, no leading ./, no extensions, no time and no owner", async () => {
  const deep = `${"d".repeat(90)}/${"e".repeat(60)}/${"f".repeat(95)}`;
  const bytes = await writeTarGz(
    skillFiles({ "SKILL.md": "# A", "run.sh*": "#!/bin/sh\n", [deep]: "x", "docs/説.md": "y" }),
  );
  const tar = gunzipSync(bytes ?? new Uint8Array());
  expect(tar.length % 512).toBe(0);
  const headers = await headersOf(bytes ?? new Uint8Array());
  expect(headers.map(({ name, type, mode, mtime, pax }) => [name, type, mode, mtime?.getTime(), pax])).toEqual([
    ["SKILL.md", "file", 0o644, 0, null],
    [deep, "file", 0o644, 0, null],
    ["docs/説.md", "file", 0o644, 0, null],
    ["run.sh", "file", 0o755, 0, null],
  ]);
});

it("writes reproducible bytes on every machine", async () => {
  const files = skillFiles({ "SKILL.md": "# Hello\n", "run.sh*": "#!/bin/sh\n" });
  expect(Buffer.from((await writeTarGz(files)) ?? []).toString("base64")).toMatchInlineSnapshot(
    `"H4sIAAAAAAAA/wv29vTx0ctNYaAhMAACMxMTMA0E6LSBgSESGyxubmhswqBgwEAHUFpcklgEtJJhZAJlBY/UnJx8LoZRMCJBUWmeXnEGbe0AZWpzU1M8+d8II/8bGI7mf7rkf0X9pMw8/eKM0RJgFIyCUTAKRhQAACIIvVwADAAA"`,
  );
});

it("is null for a path that ustar cannot hold", async () => {
  expect(await writeTarGz(skillFiles({ "SKILL.md": "x", [`${"a".repeat(101)}`]: "x" }))).toBeNull();
  expect(await writeTarGz(skillFiles({ [`${"d/".repeat(80)}${"a".repeat(100)}`]: "x" }))).toBeNull();
  expect(await writeTarGz(skillFiles({ [`${"d".repeat(155)}/${"a".repeat(100)}`]: "x" }))).not.toBeNull();
});

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
