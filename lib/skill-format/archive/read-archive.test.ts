import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/core/errors";
import { buildTar, type TarEntry } from "@/lib/skill-format/testing/build-tar";
import { buildZip } from "@/lib/skill-format/testing/build-zip";
import { readArchive } from "./read-archive";

const skill = { name: "SKILL.md", data: "# Hello" };
const readTar = async (entries: TarEntry[]) => readArchive({ bytes: await buildTar(entries), filename: "a.tar.gz" });
const zip = buildZip([{ name: "a/SKILL.md", data: "# Hello" }]);

it("reads a ZIP, a gzipped tar and a bare markdown file", async () => {
  const tar = await buildTar([{ name: "a/SKILL.md", data: "# Hello" }]);
  const markdown = new TextEncoder().encode("# Hello");
  const paths = async (bytes: Uint8Array, filename: string) =>
    (await readArchive({ bytes, filename })).files.map((file) => [file.path, file.mode, text(file.bytes)]);
  expect(await paths(zip, "A.ZIP")).toEqual([["a/SKILL.md", "644", "# Hello"]]);
  expect(await paths(zip, "a.skill")).toEqual([["a/SKILL.md", "644", "# Hello"]]);
  expect(await paths(tar, "a.tar.gz")).toEqual([["a/SKILL.md", "644", "# Hello"]]);
  expect(await paths(tar, "a.tgz")).toEqual([["a/SKILL.md", "644", "# Hello"]]);
  expect(await paths(markdown, "my-skill.md")).toEqual([["SKILL.md", "644", "# Hello"]]);
});

it("reads what `tar -c .` writes, with modes and long names", async () => {
  const long = `${"d".repeat(90)}/${"f".repeat(90)}.md`;
  const { files } = await readTar([
    { name: "./", type: "directory" },
    { name: "./SKILL.md", data: "# Hello" },
    { name: "./run.sh", data: "#!", mode: 0o755 },
    { name: `./${long}`, data: "x" },
    { name: "./é.md", data: "x" },
  ]);
  expect(files.map((file) => [file.path, file.mode])).toEqual([
    ["SKILL.md", "644"],
    ["run.sh", "755"],
    [long, "644"],
    ["é.md", "644"],
  ]);
});

it("stores symbolic and hard links inside of the tree as copies", async () => {
  const { files } = await readTar([
    { name: "a/run.sh", data: "#!", mode: 0o755 },
    { name: "a/soft", type: "symlink", linkname: "./run.sh" },
    { name: "a/hard", type: "link", linkname: "a/run.sh" },
  ]);
  expect(files.slice(1).map((file) => [file.path, file.mode, file.bytes.length])).toEqual([
    ["a/soft", "755", 2],
    ["a/hard", "755", 2],
  ]);
});

it.each<[string, TarEntry]>([
  ["absolute", { name: "a", type: "symlink", linkname: "/etc/passwd" }],
  ["out of the tree", { name: "a", type: "symlink", linkname: "../x" }],
  ["to itself", { name: "a", type: "symlink", linkname: "a" }],
  ["a hard link to nothing", { name: "a", type: "link", linkname: "b" }],
])("leaves out a link that is %s, with a diagnostic, and reads the rest", async (_name, link) => {
  const { files, diagnostics } = await readTar([skill, link]);
  expect(files.map((file) => file.path)).toEqual(["SKILL.md"]);
  expect(diagnostics).toMatchObject([{ code: "link_refused", severity: "warning", path: "a" }]);
});

it("leaves junk out with a diagnostic", async () => {
  const junk = ["a/.DS_Store", "__MACOSX/a/._SKILL.md", "a/._x", "a/Thumbs.db", "PaxHeader/SKILL.md", "a/.git/config"];
  const bytes = buildZip([...junk, "a/SKILL.md", "a/.gitignore"].map((name) => ({ name, data: "x" })));
  const { files, diagnostics } = await readArchive({ bytes, filename: "a.zip" });
  expect(files.map((file) => file.path)).toEqual(["a/SKILL.md", "a/.gitignore"]);
  expect(diagnostics).toEqual([
    {
      code: "junk_left_out",
      severity: "info",
      message: "Left out: a/.DS_Store, __MACOSX/a/._SKILL.md, a/._x and 3 more.",
    },
    expect.objectContaining({ code: "marker_left_out", severity: "info", path: "PaxHeader/SKILL.md" }),
  ]);
});

describe("arbitrary bytes", () => {
  const outcome = async (bytes: Uint8Array, filename: string) => {
    try {
      return (await readArchive({ bytes, filename })).files.map((file) => [file.path, file.mode, text(file.bytes)]);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      return null;
    }
  };

  it("reads every valid ZIP back", async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z0-9]{1,8}){0,3}\.x$/);
    const entry = fc.record({
      name,
      data: fc.uint8Array({ maxLength: 300 }),
      method: fc.constantFrom(0, 8),
      mode: fc.constantFrom(0o100644, 0o100755, 0),
      descriptor: fc.constantFrom(undefined, "signed" as const, "unsigned" as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: (value) => value.name }), async (entries) => {
        const { files } = await readArchive({ bytes: buildZip(entries), filename: "a.zip" });
        expect(files.map((file) => [file.path, file.mode, [...file.bytes]])).toEqual(
          entries.map((value) => [value.name, value.mode === 0o100755 ? "755" : "644", [...value.data]]),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("ends with the same files or a rejection when a byte of a ZIP changes", async () => {
    const honest = buildZip([
      { name: "a/SKILL.md", data: "# Hello\n".repeat(20) },
      { name: "a/run.sh", data: "#!/bin/sh\n", mode: 0o100755, descriptor: "signed" },
    ]);
    const files = await outcome(honest, "a.zip");
    await fc.assert(
      fc.asyncProperty(fc.nat(honest.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const bytes = honest.slice();
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        const result = await outcome(bytes, "a.zip");
        // Names, modes and times have no checksum; content has. A mode can make a link of a file, which is left out.
        const honestContents = files?.map(([, , content]) => content);
        for (const [, , content] of result ?? []) expect(honestContents).toContainEqual(content);
      }),
      { numRuns: 400 },
    );
  });

  it("ends with files or a rejection when a tar is changed or cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(4096), fc.nat(255), fc.option(fc.nat(5000)), async (at, value, cut) => {
        const bytes = await buildTar(
          [
            { name: "a/", type: "directory" },
            { name: "a/SKILL.md", data: "# Hello\n".repeat(100) },
            { name: `a/${"long".repeat(30)}.md`.slice(0, 99), data: "x" },
          ],
          (tar) => {
            tar[at] = value;
            return tar.subarray(0, cut ?? tar.length);
          },
        );
        await outcome(bytes, "a.tgz");
      }),
      { numRuns: 300 },
    );
  });

  it("ends with a rejection for noise after a magic number", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
        expect(await outcome(new Uint8Array([0x50, 0x4b, 3, 4, ...noise]), "a.zip")).toBeNull();
        expect(await outcome(new Uint8Array([0x1f, 0x8b, ...noise]), "a.tgz")).toBeNull();
      }),
    );
  });
});

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
