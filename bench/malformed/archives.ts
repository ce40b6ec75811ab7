import { gzipSync } from "node:zlib";
import { buildTar, fixChecksum } from "@/lib/skill-format/testing/build-tar";
import { buildZip, type ZipEntry, type ZipFaults } from "@/lib/skill-format/testing/build-zip";
import type { Fixture } from "./input";

export type Upload = { family: string; name: string; bytes: Uint8Array };

const SKILL = "---\nname: probe\ndescription: A probe.\n---\n\nDo it.\n";
const good: ZipEntry = { name: "probe/SKILL.md", data: SKILL };

/** Archives that no honest program writes, and a valid one. */
export async function hostileArchives({ marker }: Fixture): Promise<Upload[]> {
  const zip = (family: string, entries: ZipEntry[], lies?: ZipFaults): Upload => ({
    family: `zip: ${family}`,
    name: "probe.zip",
    bytes: buildZip(entries, lies),
  });
  const escapes = escapingNames(marker);
  const zips = [
    ...escapes.map((name) => zip("a path that escapes", [good, { name, data: marker }])),
    zip("a link out", [good, { name: "probe/link", data: `/tmp/${marker}`, mode: 0o120777 }]),
    zip("a link, and a file through it", [
      good,
      { name: "probe/d", data: "/tmp", mode: 0o120777 },
      { name: `probe/d/${marker}`, data: marker },
    ]),
    ...[0o020666, 0o060666, 0o010644, 0o140755, 0o104755].map((mode) =>
      zip("a special file", [good, { name: "probe/x", data: "x", mode }]),
    ),
    zip("one name twice", [good, { ...good, data: `${SKILL}again` }]),
    zip("names that differ in case", [good, { name: "probe/skill.md", data: SKILL }]),
    zip("another name inside", [{ ...good, localName: "probe/README.md" }]),
    zip("a wrong checksum", [{ ...good, crc: 1 }]),
    zip("a wrong size", [{ ...good, size: 10 }]),
    zip("a huge size", [{ ...good, size: 0xffff_ffff }]),
    zip("a size and nothing", [{ ...good, packed: new Uint8Array(0) }]),
    zip("an unknown method", [{ ...good, method: 99, packed: new Uint8Array(8) }]),
    zip("encryption", [{ ...good, flags: 0x801 }]),
    zip("another disk", [good], { disk: 3 }),
    zip("a count that lies", [good, { name: "probe/a", data: "a" }], { count: 1 }),
    zip("a count of too many", [good], { count: 65_535 }),
    zip("bytes before", [good], { before: "#!/bin/sh\n" }),
    zip("bytes after", [good], { after: "more" }),
    zip("a comment with an end", [good], { comment: "PK\u0005\u0006" }),
    zip("a bomb", [good, { name: "probe/zero", data: new Uint8Array(60 * 1024 * 1024) }]),
    zip("an overlap", [good, { name: "probe/again", data: SKILL, offset: 0 }]),
    zip("an offset beyond", [{ ...good, offset: 0x7fff_ffff }]),
    zip(
      "many files",
      Array.from({ length: 2_000 }, (_, index) => ({ name: `probe/${index}`, data: "" })),
    ),
    zip("deep folders", [good, { name: `probe/${"d/".repeat(3_000)}f`, data: "" }]),
    zip("nothing", []),
    zip("a name that is not text", [good, { name: new Uint8Array([0xff, 0xfe, 0x80]), data: "" }]),
    zip("zeroes in a name", [{ name: "probe/SKILL.md\0.txt", data: SKILL }]),
    ...[0, 1, 4, 21, 22, 40].map((length) => ({
      family: "zip: cut short",
      name: "probe.zip",
      bytes: buildZip([good]).slice(0, length),
    })),
  ];
  return [...zips, ...(await hostileTars(marker, escapes)), ...hostileStreams()];
}

async function hostileTars(marker: string, escapes: string[]): Promise<Upload[]> {
  const skill = { name: "probe/SKILL.md", data: SKILL };
  const tar = async (family: string, built: Promise<Uint8Array>): Promise<Upload> => ({
    family: `tar: ${family}`,
    name: "probe.tar.gz",
    bytes: await built,
  });
  const damaged = (at: number, bytes: string) =>
    buildTar([skill], (plain) => {
      plain.write(bytes, at, "latin1");
      return fixChecksum(plain, 0);
    });
  return Promise.all([
    ...escapes
      .filter((name) => !name.includes("\0"))
      .map((name) => tar("a path that escapes", buildTar([skill, { name, data: marker }]))),
    tar("a link out", buildTar([skill, { name: "probe/l", type: "symlink", linkname: `/tmp/${marker}` }])),
    tar("a hard link out", buildTar([skill, { name: "probe/l", type: "link", linkname: "/etc/passwd" }])),
    ...(["character-device", "block-device", "fifo"] as const).map((type) =>
      tar("a special file", buildTar([skill, { name: "probe/x", type }])),
    ),
    tar(
      "a path in an extended header",
      buildTar([skill, { name: "probe/x", data: "", pax: { path: `../../${marker}` } }]),
    ),
    tar("a size in an extended header", buildTar([{ ...skill, pax: { size: "99999999999999" } }])),
    tar("a size below zero", damaged(124, "-0000000001\0")),
    tar("a size in another base", damaged(124, "\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff")),
    tar("a size that is no number", damaged(124, "zzzzzzzzzzz\0")),
    tar("a mode that is no number", damaged(100, "rwxrwxr\0")),
    tar("an unknown kind", damaged(156, "Q")),
    tar("a long name without a file", damaged(156, "L")),
    tar(
      "a wrong checksum",
      buildTar([skill], (plain) => Buffer.from(plain.fill("9", 148, 154))),
    ),
    tar(
      "a missing end",
      buildTar([skill], (plain) => plain.subarray(0, 700)),
    ),
    tar("nothing", buildTar([])),
  ]);
}

function hostileStreams(): Upload[] {
  const bytes = (family: string, name: string, content: Uint8Array): Upload => ({
    family: `file: ${family}`,
    name,
    bytes: content,
  });
  return [
    bytes("not packed", "probe.tar.gz", Buffer.from("plain text")),
    bytes("cut short", "probe.tgz", gzipSync(Buffer.alloc(4096)).subarray(0, 12)),
    bytes("zeroes, packed", "probe.tgz", gzipSync(Buffer.alloc(80 * 1024 * 1024))),
    bytes("packed twice", "probe.tgz", gzipSync(gzipSync(Buffer.alloc(1024)))),
    bytes("an unknown kind", "probe.rar", Buffer.from("Rar!\x1a\x07\0")),
    bytes("no name", "", Buffer.from("x")),
    bytes("nothing", "SKILL.md", new Uint8Array(0)),
    bytes("not text", "SKILL.md", Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28])),
    bytes("zeroes", "SKILL.md", Buffer.alloc(100_000)),
    bytes("one long line", "SKILL.md", Buffer.from(`---\nname: p\ndescription: ${"x".repeat(900_000)}\n---\n`)),
  ];
}

function escapingNames(marker: string): string[] {
  return [
    `../${marker}`,
    `../../../../../../../../tmp/${marker}`,
    `/tmp/${marker}`,
    `//tmp/${marker}`,
    `probe/../../${marker}`,
    `probe/./../../../${marker}`,
    `..\\..\\${marker}`,
    `C:\\${marker}`,
    `probe/%2e%2e/%2e%2e/${marker}`,
    `probe/\u202e${marker}`,
    `probe/${marker}\n../x`,
    `probe/con/${marker}.`,
    `~/${marker}`,
    `${"a/".repeat(100)}../${marker}`,
  ];
}
