import { crc32, type InflateRaw, inflateRaw } from "node:zlib";
import { AppError } from "@/lib/core/errors";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import {
  type ArchiveBudget,
  type ArchiveEntry,
  fileMode,
  isJunk,
  quotePath,
  rejectArchive,
  safePath,
} from "./archive-entry";
import { decodeText } from "./decode-text";
import { MAX_ARCHIVE_ENTRIES, MAX_RATIO, RATIO_FLOOR_BYTES } from "./limits";

const LOCAL_SIGNATURE = 0x04034b50;

const DESCRIPTOR_SIGNATURE = 0x08074b50;

const LOCAL_BYTES = 30;

const HAS_DESCRIPTOR = 1 << 3;

const MAX_TARGET_BYTES = 1_024;

/**
 * Reads a ZIP (PKWARE APPNOTE.TXT 6.3.10) through its central directory. Counts declared sizes before inflating. Throws
 * `archive_rejected` or `too_large`; never returns a part.
 */
export async function readZip(bytes: Uint8Array, budget: ArchiveBudget): Promise<ArchiveEntry[]> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { records, directoryOffset } = readZipDirectory(zip);
  await loopTurn();
  const data = locateZipData(zip, records, directoryOffset);
  const plans = records.map((record, index) => planEntry(record, data[index] ?? Buffer.alloc(0), budget));
  const entries: ArchiveEntry[] = [];
  for (const plan of plans) {
    await loopTurn();
    entries.push(await readEntry(plan));
  }
  return entries;
}

type Kind = "file" | "link" | "submodule" | "folder" | "junk";
type Plan = { kind: Kind; path: string; record: ZipRecord; packed: Buffer };

function planEntry(record: ZipRecord, packed: Buffer, budget: ArchiveBudget): Plan {
  budget.addEntry();
  const isFolder = record.name.endsWith("/");
  const path = safePath(isFolder ? record.name.slice(0, -1) : record.name);
  const kind: Kind = isJunk(path) ? "junk" : entryKind(record, isFolder);
  if (kind === "file") budget.addFile(path, record.size);
  if (kind === "folder" && record.size !== 0) rejectArchive(`The folder ${quotePath(path)} has content.`);
  return { kind, path, record, packed };
}

const DOS_FOLDER = 0x10;

function entryKind(record: ZipRecord, isFolder: boolean): Kind {
  const shown = quotePath(record.name);
  const type = (record.externalAttributes >>> 16) & 0o170000;
  if (type === 0o120000 && !isFolder) return "link";
  // Mode of a git submodule, which has no content.
  if (type === 0o160000) return "submodule";
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) {
    rejectArchive(`${shown} is a device, a pipe or another special file. Only regular files and folders are accepted.`);
  }
  const saysFolder = type === 0o040000 || (type === 0 && (record.externalAttributes & DOS_FOLDER) !== 0);
  if (saysFolder !== isFolder && (saysFolder || type === 0o100000)) {
    rejectArchive(`${shown} is marked both as a folder and as a file.`);
  }
  return isFolder ? "folder" : "file";
}

async function readEntry({ kind, path, record, packed }: Plan): Promise<ArchiveEntry> {
  if (kind === "junk") return { kind, path };
  if (kind === "submodule")
    return refuse(
      "submodule_left_out",
      path,
      "The submodule was left out, because the archive does not contain its files.",
    );
  if (kind === "link" && record.size > MAX_TARGET_BYTES) {
    return refuse("link_refused", path, `The link was left out: its target has more than ${MAX_TARGET_BYTES} bytes.`);
  }
  const bytes = await inflateZipEntry(record, packed);
  if (kind === "folder") return { kind, path };
  if (kind === "link") {
    const target = decodeText(bytes);
    if (target === null) return refuse("link_refused", path, "The link was left out: its target is not UTF-8.");
    return { kind, path, target, from: "folder" };
  }
  return { kind, path, mode: fileMode(path, record.externalAttributes >>> 16), bytes };
}

type Refused = Extract<ArchiveEntry, { kind: "refused" }>;

function refuse(code: Refused["code"], path: string, message: string): Refused {
  return { kind: "refused", code, path, message };
}

/** Inflates an entry up to its declared size. Throws `archive_rejected` for a wrong size, CRC-32 or ratio. */
async function inflateZipEntry(record: ZipRecord, packed: Buffer): Promise<Uint8Array> {
  assertRatio(record);
  const bytes = record.method === 0 ? new Uint8Array(packed) : await inflate(record, packed);
  if (bytes.length !== record.size)
    rejectArchive(`The size of ${quotePath(record.name)} differs from the size in its header.`);
  if (crc32(bytes) !== record.crc) rejectArchive(`${quotePath(record.name)} is damaged: its checksum differs.`);
  return bytes;
}

function assertRatio({ name, size, packedSize }: ZipRecord): void {
  if (size > RATIO_FLOOR_BYTES && size > packedSize * MAX_RATIO) {
    rejectArchive(`${quotePath(name)} is compressed more than ${MAX_RATIO}:1 and is refused as a possible zip bomb.`);
  }
}

type Inflated = { buffer: Buffer; engine: InflateRaw };

async function inflate(record: ZipRecord, packed: Buffer): Promise<Uint8Array> {
  const shown = quotePath(record.name);
  const result = await new Promise<Inflated>((resolve, reject) => {
    // maxOutputLength must be at least 1.
    const options = { maxOutputLength: Math.max(1, record.size), info: true };
    inflateRaw(packed, options, (error, value) => (error === null ? resolve(withInfo(value)) : reject(error)));
  }).catch((error: unknown) => rejectArchive(`${shown} is damaged, or larger than the size in its header.`, error));
  if (result.engine.bytesWritten !== packed.length) rejectArchive(`${shown} has bytes after the end of its data.`);
  return new Uint8Array(result.buffer.buffer, result.buffer.byteOffset, result.buffer.length);
}

/** zlib's types do not know the result of `info: true`. */
function withInfo(value: unknown): Inflated {
  return value as Inflated;
}

/**
 * The packed bytes of each record, in order. Every byte before the central directory must belong to exactly one entry;
 * local headers (APPNOTE.TXT, section 4.3.7) and data descriptors (4.3.9) must match the central directory. Throws
 * `archive_rejected`.
 */
function locateZipData(zip: Buffer, records: ZipRecord[], directoryOffset: number): Buffer[] {
  const ordered = [...records].sort((a, b) => a.headerOffset - b.headerOffset);
  if ((ordered[0]?.headerOffset ?? directoryOffset) !== 0) rejectArchive("The ZIP has bytes before its first entry.");
  const data = new Map<ZipRecord, Buffer>();
  ordered.forEach((record, index) => {
    const end = ordered[index + 1]?.headerOffset ?? directoryOffset;
    data.set(record, readSpan(zip, record, end));
  });
  return records.map((record) => data.get(record) ?? Buffer.alloc(0));
}

function readSpan(zip: Buffer, record: ZipRecord, end: number): Buffer {
  const start = record.headerOffset;
  const shown = quotePath(record.name);
  if (start + LOCAL_BYTES > end || zip.readUInt32LE(start) !== LOCAL_SIGNATURE) {
    rejectArchive(`The entry ${shown} of the ZIP overlaps another entry or has no header.`);
  }
  const nameEnd = start + LOCAL_BYTES + zip.readUInt16LE(start + 26);
  const dataStart = nameEnd + zip.readUInt16LE(start + 28);
  const dataEnd = dataStart + record.packedSize;
  if (dataEnd > end) rejectArchive(`The entry ${shown} of the ZIP overlaps another entry.`);
  const rawName = zip.subarray(start + LOCAL_BYTES, nameEnd);
  if (!rawName.equals(record.rawName)) {
    rejectArchive(`The local header of ${shown} has the name ${quotePath(rawName.toString("utf8"))}.`);
  }
  readZipName(rawName, zip.subarray(nameEnd, dataStart), record.flags);
  if (zip.readUInt16LE(start + 6) !== record.flags || zip.readUInt16LE(start + 8) !== record.method) {
    rejectArchive(`The ZIP has contradictory headers for ${shown}.`);
  }
  const streamed = (record.flags & HAS_DESCRIPTOR) !== 0;
  assertSameSizes(
    record,
    [0, 4, 8].map((at) => zip.readUInt32LE(start + 14 + at)),
    streamed,
  );
  if (streamed) assertDescriptor(record, zip.subarray(dataEnd, end));
  else if (dataEnd !== end) rejectArchive(`The ZIP has bytes after ${shown} that belong to no entry.`);
  return zip.subarray(dataStart, dataEnd);
}

function assertDescriptor(record: ZipRecord, bytes: Buffer): void {
  const signed = bytes.length === 16 && bytes.readUInt32LE(0) === DESCRIPTOR_SIGNATURE;
  if (!signed && bytes.length !== 12) {
    rejectArchive(`The ZIP has bytes after ${quotePath(record.name)} that belong to no entry.`);
  }
  const fields = signed ? bytes.subarray(4) : bytes;
  assertSameSizes(
    record,
    [0, 4, 8].map((at) => fields.readUInt32LE(at)),
    false,
  );
}

function assertSameSizes(record: ZipRecord, found: number[], mayBeZero: boolean): void {
  const expected = [record.crc, record.packedSize, record.size];
  if (!expected.every((value, index) => found[index] === value || (mayBeZero && found[index] === 0))) {
    rejectArchive(`The ZIP has contradictory sizes or checksums for ${quotePath(record.name)}.`);
  }
}

/** A central directory header (APPNOTE.TXT 6.3.10, section 4.3.12). Offsets and sizes in bytes. */
export type ZipRecord = {
  name: string;
  rawName: Buffer;
  flags: number;
  method: number;
  crc: number;
  packedSize: number;
  size: number;
  headerOffset: number;
  externalAttributes: number;
};

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const CENTRAL_BYTES = 46;

/**
 * Reads the end record (section 4.3.16) and the central directory, which must fill the file to its end. Throws
 * `archive_rejected` for everything that readers interpret differently: several end records, a wrong count, several
 * disks, ZIP64, encryption, and methods other than stored (0) and deflated (8).
 */
export function readZipDirectory(zip: Buffer): { records: ZipRecord[]; directoryOffset: number } {
  const end = findEnd(zip);
  const count = zip.readUInt16LE(end + 10);
  const size = zip.readUInt32LE(end + 12);
  const directoryOffset = zip.readUInt32LE(end + 16);
  if (zip.readUInt16LE(end + 4) !== 0 || zip.readUInt16LE(end + 6) !== 0 || zip.readUInt16LE(end + 8) !== count) {
    rejectArchive("The ZIP is split over several disks.");
  }
  if (count === 0xffff || size === 0xffffffff || directoryOffset === 0xffffffff) {
    rejectArchive("The ZIP uses ZIP64, which is not supported.");
  }
  if (count > MAX_ARCHIVE_ENTRIES) {
    throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
  }
  if (directoryOffset + size !== end)
    rejectArchive("The ZIP's central directory is not at the offset in its end record.");
  const records: ZipRecord[] = [];
  let offset = directoryOffset;
  while (offset < end) {
    if (records.length === count) rejectArchive(`The ZIP's end record counts ${count} entries, but there are more.`);
    const { record, next } = readRecord(zip, offset, end);
    records.push(record);
    offset = next;
  }
  if (records.length !== count) {
    rejectArchive(`The ZIP's end record counts ${count} entries, but there are ${records.length}.`);
  }
  return { records, directoryOffset };
}

function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - 0xffff);
  let found = -1;
  for (let offset = zip.length - END_BYTES; offset >= first; offset -= 1) {
    if (zip.readUInt32LE(offset) !== END_SIGNATURE) continue;
    if (offset + END_BYTES + zip.readUInt16LE(offset + 20) !== zip.length) continue;
    if (found !== -1) rejectArchive("The ZIP has two end records.");
    found = offset;
  }
  if (found === -1) rejectArchive("The ZIP is incomplete, or has bytes after its end record.");
  return found;
}

function readRecord(zip: Buffer, offset: number, end: number): { record: ZipRecord; next: number } {
  if (offset + CENTRAL_BYTES > end || zip.readUInt32LE(offset) !== CENTRAL_SIGNATURE) {
    rejectArchive("The ZIP's central directory is damaged.");
  }
  const nameEnd = offset + CENTRAL_BYTES + zip.readUInt16LE(offset + 28);
  const extraEnd = nameEnd + zip.readUInt16LE(offset + 30);
  const next = extraEnd + zip.readUInt16LE(offset + 32);
  if (next > end) rejectArchive("The ZIP's central directory is damaged.");
  const flags = zip.readUInt16LE(offset + 8);
  const rawName = zip.subarray(offset + CENTRAL_BYTES, nameEnd);
  const record = {
    name: readZipName(rawName, zip.subarray(nameEnd, extraEnd), flags),
    rawName,
    flags,
    method: zip.readUInt16LE(offset + 10),
    crc: zip.readUInt32LE(offset + 16),
    packedSize: zip.readUInt32LE(offset + 20),
    size: zip.readUInt32LE(offset + 24),
    headerOffset: zip.readUInt32LE(offset + 42),
    externalAttributes: zip.readUInt32LE(offset + 38),
  };
  if (zip.readUInt16LE(offset + 34) !== 0) rejectArchive("The ZIP is split over several disks.");
  assertReadable(record);
  return { record, next };
}

// Section 4.4.4: bits 1 and 2 tune deflate, 3 announces a data descriptor, 11 means UTF-8.
const KNOWN_FLAGS = (1 << 1) | (1 << 2) | (1 << 3) | (1 << 11);
const ENCRYPTION_FLAGS = (1 << 0) | (1 << 6) | (1 << 13);

function assertReadable({ name, flags, method, packedSize, size, headerOffset }: ZipRecord): void {
  if ((flags & ENCRYPTION_FLAGS) !== 0) rejectArchive(`${quotePath(name)} is encrypted.`);
  if ((flags & ~KNOWN_FLAGS) !== 0) rejectArchive(`${quotePath(name)} uses a ZIP feature that is not supported.`);
  if (method !== 0 && method !== 8)
    rejectArchive(
      `${quotePath(name)} uses compression method ${method}. Only 0 (stored) and 8 (deflate) are supported.`,
    );
  if (packedSize === 0xffffffff || size === 0xffffffff || headerOffset === 0xffffffff) {
    rejectArchive(`${quotePath(name)} uses ZIP64, which is not supported.`);
  }
}

const ZIP64_EXTRA = 0x0001;
/** Info-ZIP's Unicode path (APPNOTE.TXT, section 4.6.9): version, CRC of the name, the name in UTF-8. */
const UNICODE_PATH_EXTRA = 0x7075;

/**
 * The name in a local or central header, as UTF-8 even without bit 11, which common tools forget. Refuses other code
 * pages, and extra fields with a different name or ZIP64 sizes.
 */
export function readZipName(rawName: Buffer, extra: Buffer, flags: number): string {
  const name = decodeText(rawName);
  // Decoding would drop a byte order mark.
  if (name === null || rawName.subarray(0, 3).equals(Buffer.from("\ufeff"))) {
    rejectArchive(
      `The name ${quotePath(rawName.toString("latin1"))} is not UTF-8${flags & 0x800 ? " as it claims" : ""}.`,
    );
  }
  for (let offset = 0; offset < extra.length; ) {
    if (offset + 4 > extra.length) rejectArchive(`The ZIP's extra fields of ${quotePath(name)} are damaged.`);
    const id = extra.readUInt16LE(offset);
    const end = offset + 4 + extra.readUInt16LE(offset + 2);
    if (end > extra.length) rejectArchive(`The ZIP's extra fields of ${quotePath(name)} are damaged.`);
    if (id === ZIP64_EXTRA) rejectArchive(`${quotePath(name)} uses ZIP64, which is not supported.`);
    if (id === UNICODE_PATH_EXTRA && !extra.subarray(offset + 9, end).equals(rawName)) {
      rejectArchive(`${quotePath(name)} has a second, different name.`);
    }
    offset = end;
  }
  return name;
}
