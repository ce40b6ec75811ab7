import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readArchive } from "./archive/read-archive";
import { buildTar, fixChecksum, type TarEntry } from "./testing/build-tar";

const readBytes = (bytes: Uint8Array) => readArchive({ bytes, filename: "a.tar.gz" });
const read = async (entries: TarEntry[], edit?: (tar: Buffer) => Buffer) => readBytes(await buildTar(entries, edit));
const skill = { name: "SKILL.md", data: "# Hello" };

it("reads what `tar -c .` writes, with modes and long names", async () => {
  const long = `${"d".repeat(90)}/${"f".repeat(90)}.md`;
  const { files } = await read([
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
  const { files } = await read([
    { name: "a/run.sh", data: "#!", mode: 0o755 },
    { name: "a/soft", type: "symlink", linkname: "./run.sh" },
    { name: "a/hard", type: "link", linkname: "a/run.sh" },
  ]);
  expect(files.slice(1).map((file) => [file.path, file.mode, file.bytes.length])).toEqual([
    ["a/soft", "755", 2],
    ["a/hard", "755", 2],
  ]);
});

it.each<[string, TarEntry[]]>([
  ["an absolute path", [{ name: "/etc/passwd", data: "x" }]],
  ["a path through ..", [{ name: "a/../../x", data: "x" }]],
  ["a name twice", [skill, skill]],
  ["a name in another case", [skill, { name: "skill.md" }]],
  ["a file that is also a folder", [{ name: "a" }, { name: "a/b" }]],
  ["a file through a link", [{ name: "a", type: "symlink", linkname: "b" }, { name: "a/x" }, { name: "b" }]],
  ["a device", [{ name: "a", type: "character-device" }]],
  ["a pipe", [{ name: "a", type: "fifo" }]],
  ["set-uid", [{ name: "a", mode: 0o4755 }]],
])("refuses %s", async (_name, entries) => {
  await expect(read(entries)).rejects.toMatchObject({ code: "archive_rejected" });
});

it.each<[string, TarEntry]>([
  ["absolute", { name: "a", type: "symlink", linkname: "/etc/passwd" }],
  ["out of the tree", { name: "a", type: "symlink", linkname: "../x" }],
  ["to itself", { name: "a", type: "symlink", linkname: "a" }],
  ["a hard link to nothing", { name: "a", type: "link", linkname: "b" }],
])("leaves out a link that is %s, says so, and reads the rest", async (_name, link) => {
  const { files, diagnostics } = await read([skill, link]);
  expect(files.map((file) => file.path)).toEqual(["SKILL.md"]);
  expect(diagnostics).toMatchObject([{ code: "link_refused", severity: "warning", path: "a" }]);
});

describe("a tar that is not what it seems", () => {
  it.each<[string, (tar: Buffer) => Buffer]>([
    ["has no end mark", (tar) => tar.subarray(0, 1024)],
    ["has half an end mark", (tar) => tar.subarray(0, 1536)],
    ["is cut in a file", (tar) => tar.subarray(0, 700)],
    ["has text after its end mark", (tar) => Buffer.concat([tar, Buffer.alloc(512, "x")])],
    ["has another archive after its end mark", (tar) => Buffer.concat([tar, tar])],
    ["has a wrong checksum", (tar) => Buffer.from(tar.fill("9", 148, 154))],
    ["has a size that is no number", (tar) => fixChecksum(Buffer.from(tar.fill("z", 124, 130)), 0)],
    ["has a size beyond its end", (tar) => fixChecksum(Buffer.from(tar.fill("00000010000", 124, 135)), 0)],
    ["has a type nobody knows", (tar) => fixChecksum(Buffer.from(tar.fill("S", 156, 157)), 0)],
    ["is empty", () => Buffer.alloc(0)],
    ["is no tar", () => Buffer.from("hello".repeat(200))],
  ])("is refused when it %s", async (_name, edit) => {
    await expect(read([skill], edit)).rejects.toMatchObject({ code: "archive_rejected" });
  });

  it("is refused when its pax size differs in form or it is sparse", async () => {
    await expect(read([{ ...skill, pax: { size: "7x" } }])).rejects.toThrow("not a number");
    await expect(read([{ ...skill, pax: { "GNU.sparse.name": "x" } }])).rejects.toThrow("sparse");
  });
});

describe("gzip", () => {
  it("is refused when it is cut, damaged or followed by something", async () => {
    const bytes = await buildTar([skill]);
    await expect(readBytes(bytes.slice(0, -4))).rejects.toMatchObject({ code: "archive_rejected" });
    await expect(readBytes(new Uint8Array([...bytes, 0, 0, 0]))).rejects.toMatchObject({ code: "archive_rejected" });
    const damaged = bytes.slice();
    damaged[20] = (damaged[20] ?? 0) ^ 0xff;
    await expect(readBytes(damaged)).rejects.toMatchObject({ code: "archive_rejected" });
  });

  it("is refused when it is a bomb", async () => {
    await expect(readBytes(new Uint8Array(gzipSync(Buffer.alloc(30_000_000))))).rejects.toThrow("100:1");
  });

  it("is refused when a file or the whole is too large", async () => {
    const big = { name: "a", data: randomBytes(5 * 1024 * 1024 + 1) };
    await expect(read([big])).rejects.toMatchObject({ code: "too_large" });
    const half = Buffer.concat([randomBytes(1024 * 1024), Buffer.alloc(4 * 1024 * 1024)]);
    const many = Array.from({ length: 14 }, (_, index) => ({ name: `f${index}`, data: half }));
    await expect(read(many)).rejects.toMatchObject({ code: "too_large" });
  });

  it("is refused when it has too many files", async () => {
    const noise = { name: "noise", data: randomBytes(300_000) };
    const many = Array.from({ length: 5_001 }, (_, index) => ({ name: `f${index}`, data: "" }));
    await expect(read([noise, ...many])).rejects.toMatchObject({ code: "too_large" });
  });
});
