import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import JSZip from "jszip";
import { MAX_RATIO, RATIO_FLOOR_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** Gzip header without name and time, unknown system (RFC 1952). */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** Offsets in a ZIP's local header. */
const LOCAL = { packedSize: 18, nameLength: 26, extraLength: 28, name: 30 };

/**
 * A gzipped tar of one skill with its files at the root, in plain ustar (no PAX, GNU names or leading `./`), sorted by
 * path, with fixed times and modes. Byte-for-byte reproducible on every machine. Null when a path does not fit a ustar
 * header (100 bytes, or 155 for its folders and 100 for the rest).
 */
export async function writeTarGz(files: SkillFile[]): Promise<Uint8Array<ArrayBuffer> | null> {
  return packEntries(files.map((file) => ({ ...file, type: "0" })));
}

/**
 * The same below `folder/`, with an entry for each folder, which programs that unpack a layer need: `oras` makes none
 * by itself. Null when a path does not fit, see `fitsTar`.
 */
export async function writeTarGzOfFolder(folder: string, files: SkillFile[]): Promise<Uint8Array<ArrayBuffer> | null> {
  const entries: TarEntry[] = files.map((file) => ({ ...file, path: `${folder}/${file.path}`, type: "0" }));
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)));
  const empty = new Uint8Array();
  return packEntries([
    ...[...folders].map((path): TarEntry => ({ path: `${path}/`, mode: "755", bytes: empty, type: "5" })),
    ...entries,
  ]);
}

/** Whether a path fits a ustar header. */
export function fitsTar(path: string): boolean {
  return splitName(path) !== null;
}

/** `type` is that of ustar: `0` for a file, `5` for a folder. */
type TarEntry = Pick<SkillFile, "path" | "mode" | "bytes"> & { type: "0" | "5" };

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

async function packEntries(entries: TarEntry[]): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  for (const entry of entries.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = splitName(entry.path);
    if (name === null) return null;
    parts.push(header(name, entry), entry.bytes, new Uint8Array(-entry.bytes.length & (BLOCK - 1)));
  }
  const tar = Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(tar), 0);
  tail.writeUInt32LE(tar.length, 4);
  return new Uint8Array(Buffer.concat([GZIP_HEAD, await deflate(tar), tail]));
}

/** JSZip's deflate is JavaScript; zlib's output differs between processors and Node releases. */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const zip = new JSZip().file("t", bytes, { compression: "DEFLATE", compressionOptions: { level: 9 } });
  const packed = await zip.generateAsync({ type: "nodebuffer" });
  const start = LOCAL.name + packed.readUInt16LE(LOCAL.nameLength) + packed.readUInt16LE(LOCAL.extraLength);
  return packed.subarray(start, start + packed.readUInt32LE(LOCAL.packedSize));
}

type Name = { prefix: Buffer; name: Buffer };

/** Splits a path for ustar: whole, or at a `/` into prefix and name. */
function splitName(path: string): Name | null {
  const whole = Buffer.from(path, "utf8");
  if (whole.length <= NAME_BYTES) return { prefix: Buffer.alloc(0), name: whole };
  const cut = whole.indexOf("/", whole.length - NAME_BYTES - 1);
  if (cut <= 0 || cut > PREFIX_BYTES) return null;
  return { prefix: whole.subarray(0, cut), name: whole.subarray(cut + 1) };
}

function header({ prefix, name }: Name, { mode, bytes, type }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK);
  name.copy(block, 0);
  block.write(mode === "755" ? "0000755" : "0000644", 100);
  block.write("0000000", 108); // uid
  block.write("0000000", 116); // gid
  block.write(bytes.length.toString(8).padStart(11, "0"), 124);
  block.write("00000000000", 136); // time
  block.write("        ", 148); // blank while the checksum is computed
  block.write(type, 156);
  block.write("ustar\0" + "00", 257, "latin1");
  prefix.copy(block, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** The earliest time that a ZIP can hold (MS-DOS time), for reproducible bytes. */
const FIXED_DATE = new Date(Date.UTC(1980, 0, 1));

/** A reproducible ZIP of one skill under `folder/` (the root if empty), sorted by path. `readArchive` reads it back. */
export async function writeZip(folder: string, files: SkillFile[]): Promise<Uint8Array<ArrayBuffer>> {
  return writeZipOfFolders([{ folder, files }]);
}

/** A ZIP of several folders in the given order, with additional text files by path. */
export async function writeZipOfFolders(
  folders: { folder: string; files: SkillFile[] }[],
  beside: Record<string, string> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(beside)) {
    zip.file(path, text, { date: FIXED_DATE, createFolders: false, unixPermissions: 0o100644, compression: "DEFLATE" });
  }
  for (const { folder, files } of folders) {
    for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      zip.file(folder === "" ? file.path : `${folder}/${file.path}`, file.bytes, {
        date: FIXED_DATE,
        createFolders: false,
        unixPermissions: file.mode === "755" ? 0o100755 : 0o100644,
        compression: (await exceedsReadRatio(file.bytes)) ? "STORE" : "DEFLATE",
        compressionOptions: { level: 9 },
      });
    }
  }
  return new Uint8Array(await zip.generateAsync({ type: "arraybuffer", platform: "UNIX" }));
}

const pack = promisify(deflateRaw);

// Half of the reader's ratio, to allow for differences between zlib and JSZip.
async function exceedsReadRatio(bytes: Uint8Array): Promise<boolean> {
  return bytes.length > RATIO_FLOOR_BYTES && (await pack(bytes, { level: 9 })).length * (MAX_RATIO / 2) < bytes.length;
}
