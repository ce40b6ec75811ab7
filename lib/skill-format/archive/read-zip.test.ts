import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildZip, type ZipEntry, type ZipFaults } from "@/lib/skill-format/testing/build-zip";
import { createArchiveBudget } from "./archive-entry";
import { readArchive } from "./read-archive";
import { readZip } from "./read-zip";

const read = (entries: ZipEntry[], lies?: ZipFaults) =>
  readArchive({ bytes: buildZip(entries, lies), filename: "a.zip" });
const skill = { name: "SKILL.md", data: "# Hello" };
const LINK = 0o120777;
const MIB = 1024 * 1024;

describe("a ZIP that is plain", () => {
  it("keeps the executable bit and nothing else of the mode", async () => {
    const { files } = await read([
      { name: "a", mode: 0o100600 },
      { name: "b", mode: 0o100711 },
      { name: "c", mode: 0 },
    ]);
    expect(files.map((file) => file.mode)).toEqual(["644", "755", "644"]);
  });

  it("may have folders, a comment, data descriptors and names without the UTF-8 flag", async () => {
    const { files } = await read(
      [
        { name: "a/", mode: 0o040755, method: 0, dosAttributes: 0x10 },
        { name: "a/é.md", flags: 0, data: "1" },
        { name: "a/b.md", descriptor: "signed", data: "2" },
        { name: "a/c.md", descriptor: "unsigned", data: "3", method: 0 },
      ],
      { comment: "0123456789abcdef" },
    );
    expect(files.map((file) => file.path)).toEqual(["a/é.md", "a/b.md", "a/c.md"]);
  });

  it("may be empty", async () => {
    expect((await read([])).files).toEqual([]);
  });

  it("may hold a text that packs very well", async () => {
    expect((await read([{ name: "a", data: "-".repeat(300_000) }])).files[0]?.bytes.length).toBe(300_000);
  });
});

describe("a ZIP that two readers could see differently", () => {
  const unicodePath = Buffer.concat([Buffer.from([0x75, 0x70, 11, 0, 1, 0, 0, 0, 0]), Buffer.from("OTHER.")]);
  it.each<[string, ZipEntry[], ZipFaults, string]>([
    ["a name twice", [skill, skill], {}, "twice"],
    ["names in another case", [skill, { name: "skill.MD" }], {}, "letter case"],
    ["names equal after composing", [{ name: "\u00e9" }, { name: "e\u0301" }], {}, "twice"],
    ["a path through ..", [skill, { name: "x/../SKILL.md", data: "evil" }], {}, '".."'],
    ["another local name", [{ ...skill, name: "README.md", localName: "SKILL.md" }], {}, "in another place"],
    ["a second name", [{ name: "SKILL.", extra: unicodePath }], {}, "second, different name"],
    ["a count that is too low", [skill, { name: "b" }, { name: "c" }], { count: 1 }, "there are more"],
    ["a count that is too high", [skill], { count: 3 }, "counts 3 entries, but there are 1"],
    ["bytes before it", [skill], { before: "PK\x03\x04GIF89a" }, "before its first entry"],
    ["bytes after it", [skill], { after: "x" }, "after its end record"],
    ["two end records", [skill], { comment: `PK\x05\x06${"\0".repeat(18)}` }, "two end records"],
    ["bytes between entries", [{ ...skill, gapAfter: Buffer.from("hidden") }, { name: "b" }], {}, "belong to no entry"],
    ["bytes after the last entry", [{ ...skill, gapAfter: Buffer.from("hidden") }], {}, "belong to no entry"],
    ["several disks", [skill], { disk: 1 }, "several disks"],
    ["a wrong checksum", [{ ...skill, crc: 1 }], {}, "checksum"],
    ["a stored entry of another size", [{ ...skill, method: 0, size: 3 }], {}, "another size"],
    ["encryption", [{ ...skill, flags: 0x801 }], {}, "encrypted"],
    ["strong encryption", [{ ...skill, flags: 0x841 }], {}, "encrypted"],
    ["another method", [{ ...skill, method: 12 }], {}, "method 12"],
    ["unknown flags", [{ ...skill, flags: 0x820 }], {}, "not supported"],
    ["ZIP64 sizes", [{ ...skill, size: 0xffffffff }], {}, "ZIP64"],
    ["a ZIP64 field", [{ ...skill, extra: new Uint8Array([1, 0, 0, 0]) }], {}, "ZIP64"],
    ["a damaged extra field", [{ ...skill, extra: new Uint8Array([1, 9, 9, 0]) }], {}, "damaged"],
    ["a name that is not UTF-8", [{ name: new Uint8Array([0x82, 0x2e]) }], {}, "not UTF-8"],
    ["bytes after the deflated data", [withTrailer("x")], {}, "after the end of its data"],
    ["a file and a folder of one name", [{ name: "a" }, { name: "a/b" }], {}, "both a file and a folder"],
    ["a folder with content", [{ name: "a/", data: "x", mode: 0o040755 }], {}, "has content"],
    ["a folder that says it is a file", [{ name: "a/", mode: 0o100644 }], {}, "by one sign"],
    ["a file that says it is a folder", [{ name: "a", mode: 0o040755 }], {}, "by one sign"],
  ])("is refused for %s", async (_name, entries, lies, reason) => {
    const reading = read(entries, lies);
    await expect(reading).rejects.toMatchObject({ code: "archive_rejected" });
    await expect(reading).rejects.toThrow(reason);
  });

  it("is refused when several entries share one kernel", async () => {
    const kernel = { name: "a", data: "x".repeat(1000) };
    await expect(read([kernel, { name: "b", packed: new Uint8Array(), size: 1000, offset: 0 }])).rejects.toThrow(
      "overlaps",
    );
  });

  it("is refused wherever it is cut", async () => {
    const bytes = buildZip([skill, { name: "b", descriptor: "signed" }]);
    for (let length = 4; length < bytes.length; length += 1) {
      const cut = readArchive({ bytes: bytes.slice(0, length), filename: "a.zip" });
      await expect(cut).rejects.toMatchObject({ code: "archive_rejected" });
    }
  });
});

describe("a bomb", () => {
  it("is refused by its declared ratio before anything is inflated", async () => {
    const packed = deflateRawSync(Buffer.alloc(4 * MIB));
    await expect(read([{ name: "a", packed, size: 4 * MIB, crc: 0 }])).rejects.toThrow("100:1");
  });

  it("is refused when the header lies: inflating stops at the declared size", async () => {
    const packed = deflateRawSync(Buffer.alloc(4 * MIB));
    await expect(read([{ name: "a", packed, size: 10, crc: 0 }])).rejects.toThrow("larger than the ZIP declares");
  });

  it("is refused when a file is over 5 MiB", async () => {
    const reading = read([{ name: "a", data: randomBytes(100), method: 0, size: 5 * MIB + 1 }]);
    await expect(reading).rejects.toMatchObject({ code: "too_large" });
  });

  it("is refused when files within the limit are too much together", async () => {
    const entries = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}`, size: 5 * MIB, method: 0 }));
    await expect(read(entries)).rejects.toMatchObject({ code: "too_large" });
  });

  it("is refused when it has too many files", async () => {
    const entries = Array.from({ length: 5_001 }, (_, index) => ({ name: `f${index}`, method: 0 }));
    await expect(read(entries)).rejects.toMatchObject({ code: "too_large" });
    const many = Array.from({ length: 60_000 }, (_, index) => ({ name: `f${index}`, method: 0 }));
    await expect(read(many)).rejects.toMatchObject({ code: "too_large" });
  });

  it("is stored and never opened when it is an archive inside of the archive", async () => {
    const inner = buildZip([skill]);
    expect((await read([{ name: "inner.zip", data: inner }])).files[0]?.bytes).toEqual(inner);
  });
});

describe("links and special files", () => {
  it("stores a link inside of the skill as a copy of its target, with the target's mode", async () => {
    const { files } = await read([
      { name: "s/SKILL.md", data: "x" },
      { name: "s/bin/run.sh", data: "#!", mode: 0o100755 },
      { name: "s/docs/run", data: "../bin/run.sh", mode: LINK },
    ]);
    expect(files[2]).toEqual({ path: "s/docs/run", mode: "755", bytes: new Uint8Array([0x23, 0x21]) });
  });

  it("follows links through other links and to folders, inside of the skill", async () => {
    const { files, diagnostics } = await read([
      { name: "s/SKILL.md", data: "x" },
      { name: "s/v2/a/run.sh", data: "#!", mode: 0o100755 },
      { name: "s/current", data: "v2", mode: LINK },
      { name: "s/run", data: "./current/a/run.sh", mode: LINK },
    ]);
    expect(diagnostics).toEqual([]);
    expect(files.slice(2).map(({ path, mode }) => [path, mode])).toEqual([
      ["s/current/a/run.sh", "755"],
      ["s/run", "755"],
    ]);
  });

  it.each<[string, ZipEntry[], string]>([
    ["an absolute path", [{ name: "s/a", data: "/etc/passwd", mode: LINK }], "outside of the archive"],
    ["a path out of the archive", [{ name: "s/a", data: "../../x", mode: LINK }], "outside of the archive"],
    ["nothing", [{ name: "s/a", data: "missing", mode: LINK }], "not in the archive"],
    ["an empty target", [{ name: "s/a", data: "", mode: LINK }], "a folder that it lies in"],
    ["its own folder", [{ name: "s/d/a", data: "..", mode: LINK }], "a folder that it lies in"],
    ["itself", [{ name: "s/a", data: "a", mode: LINK }], "a circle"],
    [
      "a circle of links",
      [
        { name: "s/a", data: "b/x", mode: LINK },
        { name: "s/b", data: "a", mode: LINK },
      ],
      "a circle",
    ],
    ["a backslash path", [{ name: "s/f" }, { name: "s/a", data: ".\\f", mode: LINK }], "outside of the archive"],
    ["a long text", [{ name: "s/a", data: "x".repeat(2000), mode: LINK }], "more than 1024 bytes"],
    ["bytes that are no text", [{ name: "s/a", data: new Uint8Array([0xff]), mode: LINK }], "not UTF-8"],
    ["another skill", [{ name: "t/SKILL.md" }, { name: "s/a", data: "../t/SKILL.md", mode: LINK }], "leaves the skill"],
    ["another skill's folder", [{ name: "t/SKILL.md" }, { name: "s/a", data: "../t", mode: LINK }], "leaves the skill"],
    ["a file outside of its skill", [{ name: "x" }, { name: "s/a", data: "../x", mode: LINK }], "leaves the skill"],
    [
      "a folder whose copies would be too deep",
      [{ name: "s/1/2/3/4/5/6/7/f" }, { name: "s/b/c/d/a", data: "../../../1", mode: LINK }],
      "too deep",
    ],
  ])("leaves out a link to %s, says so, and reads the rest", async (_name, entries, reason) => {
    const { files, diagnostics } = await read([{ name: "s/SKILL.md", data: "x" }, ...entries]);
    const plain = entries.filter((entry) => entry.mode !== LINK).map((entry) => entry.name);
    expect(files.map((file) => file.path)).toEqual(["s/SKILL.md", ...plain]);
    const links = entries.filter((entry) => entry.mode === LINK);
    expect(diagnostics).toEqual(
      links.map(({ name }) => ({
        ...{ code: "link_refused", severity: "warning", path: name },
        message: expect.stringContaining(reason),
      })),
    );
  });

  it("leaves out a folder that is a link to a skill, and says that the skill is read where it lies", async () => {
    const { files, diagnostics } = await read([{ name: "s/SKILL.md" }, { name: "b", data: "s", mode: LINK }]);
    expect(files.map((file) => file.path)).toEqual(["s/SKILL.md"]);
    expect(diagnostics).toMatchObject([
      { code: "link_refused", severity: "info", path: "b", message: expect.stringContaining("in its own folder") },
    ]);
  });

  it("leaves out a SKILL.md that is a link out of its folder, and the folder is no skill", async () => {
    const { files, diagnostics } = await read([{ name: "x.md" }, { name: "s/SKILL.md", data: "../x.md", mode: LINK }]);
    expect(files.map((file) => file.path)).toEqual(["x.md"]);
    expect(diagnostics).toMatchObject([{ code: "link_refused", severity: "warning", path: "s/SKILL.md" }]);
  });

  it("only mentions a link of no skill, and at most a hundred links", async () => {
    const links = Array.from({ length: 130 }, (_, index) => ({ name: `l${index}`, data: "s", mode: LINK }));
    const { diagnostics } = await read([{ name: "s/SKILL.md" }, ...links]);
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics[0]).toMatchObject({ code: "link_refused", severity: "info", path: "l0" });
    expect(diagnostics.at(-1)?.message).toBe("30 more links were left out.");
  });

  it("leaves out a submodule", async () => {
    const { files, diagnostics } = await read([skill, { name: "lib", mode: 0o160000 }]);
    expect(files.map((file) => file.path)).toEqual(["SKILL.md"]);
    expect(diagnostics).toMatchObject([{ code: "submodule_left_out", severity: "warning", path: "lib" }]);
  });

  it("refuses two entries of one name although one is a link that would be left out", async () => {
    await expect(read([skill, { name: "skill.md", data: "/x", mode: LINK }])).rejects.toThrow("letter case");
  });

  it("refuses a file that goes through a link", async () => {
    const entries = [{ name: "f" }, { name: "a", data: "f", mode: LINK }, { name: "a/b" }];
    await expect(read(entries)).rejects.toThrow("both a file and a folder");
  });

  it.each([
    ["set-uid", 0o104755],
    ["set-gid", 0o102755],
    ["sticky", 0o101644],
    ["a device", 0o020666],
    ["a block device", 0o060666],
    ["a pipe", 0o010644],
    ["a socket", 0o140644],
  ])("refuses %s", async (_name, mode) => {
    await expect(read([{ name: "a", mode }])).rejects.toMatchObject({ code: "archive_rejected" });
  });

  it("counts copies against the unpacked limit", async () => {
    const target = { name: "f", data: randomBytes(5 * MIB), method: 0 };
    const links = Array.from({ length: 10 }, (_, index) => ({ name: `l${index}`, data: "f", mode: LINK }));
    const entries = await readZip(buildZip([target, ...links]), createArchiveBudget());
    expect(entries).toHaveLength(11);
    await expect(read([target, ...links])).rejects.toMatchObject({ code: "too_large" });
  });
});

function withTrailer(trailer: string): ZipEntry {
  return { ...skill, packed: Buffer.concat([deflateRawSync(skill.data), Buffer.from(trailer)]) };
}
