import { randomBytes } from "node:crypto";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { buildTar, fixChecksum, type TarEntry } from "@/lib/skill-format/testing/build-tar";
import { buildZip, type ZipEntry, type ZipFaults } from "@/lib/skill-format/testing/build-zip";
import { exportSkill } from "@/lib/skills/transfer/export-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { readArchive } from "./read-archive";

const { database, person } = await testDatabase();
const { ctx } = await person();

const MIB = 1024 * 1024;
const LINK = 0o120777;
const CODE = "(globalThis.PWNED = 1, {})";
const skill = { name: "SKILL.md", data: "---\nname: good\ndescription: d\n---\nx" };
const utf8 = (text: string) => new TextEncoder().encode(text);

type Upload = { filename: string; bytes: Uint8Array };
type Refusal = [name: string, upload: () => Upload | Promise<Upload>, code: string, reason: string];

const zip = (entries: ZipEntry[], faults?: ZipFaults) => ({ filename: "a.zip", bytes: buildZip(entries, faults) });
const tar = async (entries: TarEntry[], edit?: (tar: Buffer) => Buffer) => gzip(await buildTar(entries, edit));
const gzip = (bytes: Uint8Array) => ({ filename: "a.tar.gz", bytes });
const md = (text: string) => ({ filename: "SKILL.md", bytes: utf8(text) });
const pack = (schema: unknown) => zipUpload("pack", packFiles({ name: "hostile", manifest: { schema } }));

const ofZip = (name: string, entries: ZipEntry[], reason: string, faults?: ZipFaults): Refusal => [
  `ZIP with ${name}`,
  () => zip(entries, faults),
  "archive_rejected",
  reason,
];
const ofTar = (name: string, entries: TarEntry[], reason: string): Refusal => [
  `tar with ${name}`,
  () => tar(entries),
  "archive_rejected",
  reason,
];
const damagedTar = (name: string, edit: (tar: Buffer) => Buffer): Refusal => [
  `tar with ${name}`,
  () => tar([skill], edit),
  "archive_rejected",
  "",
];
const tooLarge = (name: string, upload: Refusal[1]): Refusal => [name, upload, "too_large", ""];
const otherType = (filename: string, bytes: Uint8Array): Refusal => [
  `${filename} with another content`,
  () => ({ filename, bytes }),
  "unsupported_type",
  "",
];

const files = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `f${index}`, method: 0 }));
const unicodePath = Buffer.concat([Buffer.from([0x75, 0x70, 11, 0, 1, 0, 0, 0, 0]), Buffer.from("OTHER.")]);
const trailing = { ...skill, packed: Buffer.concat([deflateRawSync(skill.data), Buffer.from("x")]) };
const zeros = deflateRawSync(Buffer.alloc(4 * MIB));
const hidden = { ...skill, gapAfter: Buffer.from("hidden") };
const linkTo = (name: string, data: string): ZipEntry => ({ name, data, mode: LINK });

/** ZIPs that two readers could interpret differently, or that contain other things than files, folders and links. */
const zips: Refusal[] = [
  ofZip("a path out of the archive", [skill, { name: "../../etc/passwd" }], '".."'),
  ofZip("a path through ..", [skill, { name: "x/../SKILL.md", data: "evil" }], '".."'),
  ofZip("a hostile path in an ignored folder", [{ name: "__MACOSX/../../x", data: "x" }], '".."'),
  ofZip("a name twice", [skill, skill], "twice"),
  ofZip("names in another case", [skill, { name: "skill.MD" }], "letter case"),
  ofZip("names equal after composing", [{ name: "\u00e9" }, { name: "e\u0301" }], "twice"),
  ofZip("a link and a file of one name", [skill, linkTo("skill.md", "/x")], "letter case"),
  ofZip("a file and a folder of one name", [{ name: "a" }, { name: "a/b" }], "both a file and a folder"),
  ofZip("a file through a link", [{ name: "f" }, linkTo("a", "f"), { name: "a/b" }], "both a file and a folder"),
  ofZip("a file through a link out of it", [skill, linkTo("l", "/tmp"), { name: "l/x" }], "both a file and a folder"),
  ofZip("another local name", [{ ...skill, name: "README.md", localName: "SKILL.md" }], "local header"),
  ofZip("a second name", [{ name: "SKILL.", extra: unicodePath }], "second, different name"),
  ofZip("a name that is not UTF-8", [{ name: new Uint8Array([0x82, 0x2e]) }], "not UTF-8"),
  ofZip("a count that is too low", [skill, { name: "b" }, { name: "c" }], "there are more", { count: 1 }),
  ofZip("a count that is too high", [skill], "counts 3 entries, but there are 1", { count: 3 }),
  ofZip("bytes before it", [skill], "before its first entry", { before: "PK\x03\x04GIF89a" }),
  ofZip("bytes after it", [skill], "after its end record", { after: "x" }),
  ofZip("two end records", [skill], "two end records", { comment: `PK\x05\x06${"\0".repeat(18)}` }),
  ofZip("bytes between entries", [hidden, { name: "b" }], "belong to no entry"),
  ofZip("bytes after the last entry", [hidden], "belong to no entry"),
  ofZip("bytes after the deflated data", [trailing], "after the end of its data"),
  ofZip(
    "entries that share data",
    [
      { name: "a", data: "x".repeat(1000) },
      { name: "b", packed: new Uint8Array(), size: 1000, offset: 0 },
    ],
    "overlaps",
  ),
  ofZip("several disks", [skill], "several disks", { disk: 1 }),
  ofZip("a wrong checksum", [{ ...skill, crc: 1 }], "checksum"),
  ofZip("a stored entry of another size", [{ ...skill, method: 0, size: 3 }], "differs from the size"),
  ofZip("encryption", [{ ...skill, flags: 0x801 }], "encrypted"),
  ofZip("strong encryption", [{ ...skill, flags: 0x841 }], "encrypted"),
  ofZip("another method", [{ ...skill, method: 12 }], "method 12"),
  ofZip("unknown flags", [{ ...skill, flags: 0x820 }], "not supported"),
  ofZip("ZIP64 sizes", [{ ...skill, size: 0xffffffff }], "ZIP64"),
  ofZip("a ZIP64 field", [{ ...skill, extra: new Uint8Array([1, 0, 0, 0]) }], "ZIP64"),
  ofZip("a damaged extra field", [{ ...skill, extra: new Uint8Array([1, 9, 9, 0]) }], "damaged"),
  ofZip("a folder with content", [{ name: "a/", data: "x", mode: 0o040755 }], "has content"),
  ofZip("a folder marked as a file", [{ name: "a/", mode: 0o100644 }], "marked both"),
  ofZip("a file marked as a folder", [{ name: "a", mode: 0o040755 }], "marked both"),
  ofZip("a set-uid file", [{ name: "a", mode: 0o104755 }], "set-uid"),
  ofZip("a set-gid file", [{ name: "a", mode: 0o102755 }], "set-gid"),
  ofZip("a sticky file", [{ name: "a", mode: 0o101644 }], "sticky"),
  ofZip("a device", [{ name: "a", mode: 0o020666 }], "special file"),
  ofZip("a block device", [{ name: "a", mode: 0o060666 }], "special file"),
  ofZip("a pipe", [{ name: "a", mode: 0o010644 }], "special file"),
  ofZip("a socket", [{ name: "a", mode: 0o140644 }], "special file"),
  ofZip("a bomb by its declared ratio", [{ name: "a", packed: zeros, size: 4 * MIB, crc: 0 }], "100:1"),
  ofZip("a bomb with a false size", [{ name: "a", packed: zeros, size: 10, crc: 0 }], "larger than the size"),
];

const tars: Refusal[] = [
  ofTar("an absolute path", [{ name: "/etc/passwd", data: "x" }], "absolute"),
  ofTar("a path through ..", [{ name: "a/../../x", data: "x" }], '".."'),
  ofTar("a name twice", [skill, skill], "twice"),
  ofTar("a name in another case", [skill, { name: "skill.md" }], "letter case"),
  ofTar("a file that is also a folder", [{ name: "a" }, { name: "a/b" }], "both a file and a folder"),
  ofTar(
    "a file through a link",
    [{ name: "a", type: "symlink", linkname: "b" }, { name: "a/x" }, { name: "b" }],
    "both a file and a folder",
  ),
  ofTar("a device", [{ name: "a", type: "character-device" }], "special file"),
  ofTar("a pipe", [{ name: "a", type: "fifo" }], "special file"),
  ofTar("a set-uid file", [{ name: "a", mode: 0o4755 }], "set-uid"),
  ofTar("a pax size that is not a number", [{ ...skill, pax: { size: "7x" } }], "not a number"),
  ofTar("a sparse file", [{ ...skill, pax: { "GNU.sparse.name": "x" } }], "sparse"),
  damagedTar("no end mark", (bytes) => bytes.subarray(0, 1024)),
  damagedTar("half an end mark", (bytes) => bytes.subarray(0, 1536)),
  damagedTar("a cut in a file", (bytes) => bytes.subarray(0, 700)),
  damagedTar("text after its end mark", (bytes) => Buffer.concat([bytes, Buffer.alloc(512, "x")])),
  damagedTar("another archive after its end mark", (bytes) => Buffer.concat([bytes, bytes])),
  damagedTar("a wrong checksum", (bytes) => Buffer.from(bytes.fill("9", 148, 154))),
  damagedTar("a size that is not a number", (bytes) => fixChecksum(Buffer.from(bytes.fill("z", 124, 130)), 0)),
  damagedTar("a size beyond its end", (bytes) => fixChecksum(Buffer.from(bytes.fill("00000010000", 124, 135)), 0)),
  damagedTar("an unknown entry type", (bytes) => fixChecksum(Buffer.from(bytes.fill("S", 156, 157)), 0)),
  damagedTar("no bytes", () => Buffer.alloc(0)),
  damagedTar("other content", () => Buffer.from("hello".repeat(200))),
  ["gzip that is cut", async () => gzip((await buildTar([skill])).slice(0, -4)), "archive_rejected", ""],
  [
    "gzip with bytes after it",
    async () => gzip(Buffer.concat([await buildTar([skill]), Buffer.alloc(3)])),
    "archive_rejected",
    "",
  ],
  [
    "gzip that is damaged",
    async () => gzip((await buildTar([skill])).map((byte, at) => (at === 20 ? byte ^ 0xff : byte))),
    "archive_rejected",
    "",
  ],
  ["gzip bomb", () => gzip(new Uint8Array(gzipSync(Buffer.alloc(30_000_000)))), "archive_rejected", "100:1"],
];

const half = Buffer.concat([randomBytes(MIB), Buffer.alloc(4 * MIB)]);
const limits: Refusal[] = [
  tooLarge("upload of more than 20 MiB", () => ({ filename: "a.zip", bytes: new Uint8Array(20 * MIB + 1) })),
  tooLarge("markdown file over 5 MiB", () => md(skill.data + "x".repeat(5 * MIB))),
  tooLarge("ZIP with a file over 5 MiB", () =>
    zip([{ name: "a", data: randomBytes(100), method: 0, size: 5 * MIB + 1 }]),
  ),
  tooLarge("ZIP over 50 MiB", () => zip(files(11).map((file) => ({ ...file, size: 5 * MIB })))),
  tooLarge("ZIP with too many files", () => zip(files(5_001))),
  tooLarge("ZIP with too many entries", () => zip(files(60_000))),
  tooLarge("ZIP whose copies of a file exceed 50 MiB", () =>
    zip([
      { name: "f", data: randomBytes(5 * MIB), method: 0 },
      ...files(10).map(({ name }) => linkTo(`l${name}`, "f")),
    ]),
  ),
  tooLarge("tar with a file over 5 MiB", () => tar([{ name: "a", data: randomBytes(5 * MIB + 1) }])),
  tooLarge("tar over 50 MiB", () => tar(files(14).map(({ name }) => ({ name, data: half })))),
  tooLarge("tar with too many files", () =>
    tar([{ name: "noise", data: randomBytes(300_000) }, ...files(5_001).map(({ name }) => ({ name, data: "" }))]),
  ),
  tooLarge("skill of more than 500 files", () => zip([skill, ...files(501)])),
];

const types: Refusal[] = [
  otherType("notes.txt", new Uint8Array([1])),
  otherType("skill.tar", new Uint8Array([1])),
  otherType("skill.rar", buildZip([skill])),
  otherType("skill.md", buildZip([skill])),
  otherType("skill.tgz", buildZip([skill])),
  otherType("skill.zip", utf8("# no archive")),
  otherType("empty.zip", new Uint8Array()),
];

const languages = ["---js", "---JS", "--- js ", "---javascript", "---JavaScript", "\ufeff---js"];
const prototypes = ["---toString", "---constructor", "---hasOwnProperty", "---__proto__"];
const contents: Refusal[] = [
  ...[...languages, ...prototypes].flatMap((fence): Refusal[] => [
    [`frontmatter after ${JSON.stringify(fence)}`, () => md(`${fence}\n${CODE}\n---\n# Text\n`), "invalid", ""],
    [
      `frontmatter after ${JSON.stringify(fence)} and CRLF`,
      () => md(`${fence}\r\n${CODE}\r\n---\r\n# Text\r\n`),
      "invalid",
      "",
    ],
  ]),
  ["schema with another host's reference", () => pack({ $ref: "http://169.254.169.254/" }), "invalid", ""],
  ["schema that is a circle", () => pack({ $ref: "#" }), "invalid", ""],
  ["schema with an invalid pattern", () => pack({ properties: { x: { pattern: "(" } } }), "invalid", ""],
  [
    "SKILL.md that is not UTF-8",
    () => ({ filename: "SKILL.md", bytes: new Uint8Array([0x2d, 0xff, 0xfe]) }),
    "invalid",
    "",
  ],
  ["SKILL.md with NUL", () => md("---\nname: a\ndescription: d\n---\na\0b"), "invalid", ""],
];

test.each<Refusal>([...zips, ...tars, ...limits, ...types, ...contents])(
  "an upload is refused, stores nothing and evaluates nothing: %s",
  async (_name, upload, code, reason) => {
    const before = await database.reader.version.count();
    const importing = importSkills(ctx, { ...(await upload()), owner: "me" });
    await expect(importing).rejects.toMatchObject({ code, message: expect.stringContaining(reason) });
    expect(await database.reader.version.count()).toBe(before);
    expect("PWNED" in globalThis).toBe(false);
  },
);

test("a ZIP is refused wherever it is cut", async () => {
  const { bytes } = zip([skill, { name: "b", descriptor: "signed" }]);
  for (let length = 4; length < bytes.length; length += 1) {
    const cut = readArchive({ bytes: bytes.slice(0, length), filename: "a.zip" });
    await expect(cut).rejects.toMatchObject({ code: "archive_rejected" });
  }
});

test("the next good import works", async () => {
  const { skills } = await importSkills(ctx, { ...md(skill.data), owner: "me" });
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
});

test("a body that begins like a second frontmatter is exported unchanged and not evaluated", async () => {
  const text = `---\nname: second\ndescription: d\n---\n---js\n${CODE}\n---\nx\n`;
  const [imported] = (await importSkills(ctx, { ...md(text), owner: "me" })).skills;
  expect(new TextDecoder().decode((await exportSkill(ctx, imported?.id ?? "", { as: "original" })).bytes)).toBe(text);
  await exportSkill(ctx, imported?.id ?? "", { as: "spec" });
  expect("PWNED" in globalThis).toBe(false);
});
