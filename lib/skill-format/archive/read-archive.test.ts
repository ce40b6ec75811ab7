import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/core/errors";
import { buildTar } from "@/lib/skill-format/testing/build-tar";
import { buildZip } from "@/lib/skill-format/testing/build-zip";
import { MAX_PACKED_BYTES } from "./limits";
import { readArchive } from "./read-archive";

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

it.each([
  ["notes.txt", new Uint8Array([1])],
  ["skill.tar", new Uint8Array([1])],
  ["skill.rar", zip],
  ["skill.md", zip],
  ["skill.tgz", zip],
  ["skill.zip", new TextEncoder().encode("# no archive")],
])("refuses %s when its name or its content is of another type", async (filename, bytes) => {
  await expect(readArchive({ bytes, filename })).rejects.toMatchObject({ code: "unsupported_type" });
});

it("refuses more than 20 MiB before looking inside", async () => {
  const bytes = new Uint8Array(MAX_PACKED_BYTES + 1);
  await expect(readArchive({ bytes, filename: "a.zip" })).rejects.toMatchObject({ code: "too_large" });
});

it("refuses a markdown file over 5 MiB", async () => {
  const bytes = new Uint8Array(5 * 1024 * 1024 + 1).fill(0x61);
  await expect(readArchive({ bytes, filename: "a.md" })).rejects.toMatchObject({ code: "too_large" });
});

it("leaves junk out and says so", async () => {
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

it("refuses a hostile path even when it is junk", async () => {
  const bytes = buildZip([{ name: "__MACOSX/../../x", data: "x" }]);
  await expect(readArchive({ bytes, filename: "a.zip" })).rejects.toMatchObject({ code: "archive_rejected" });
});

describe("whatever the bytes", () => {
  const outcome = async (bytes: Uint8Array, filename: string) => {
    try {
      return (await readArchive({ bytes, filename })).files.map((file) => [file.path, file.mode, text(file.bytes)]);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      return null;
    }
  };

  it("reads every honest ZIP back", async () => {
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
