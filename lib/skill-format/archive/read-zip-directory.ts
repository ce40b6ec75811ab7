import { AppError } from "@/lib/core/errors";
import { quotePath, rejectArchive } from "./archive-entry";
import { decodeText } from "./decode-text";
import { MAX_ARCHIVE_ENTRIES } from "./limits";

/** One central directory header (APPNOTE.TXT 6.3.10, section 4.3.12). Offsets and sizes in bytes. */
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
 * Reads the end record (section 4.3.16) and the central directory, which must fill the file to its last byte. Throws
 * `archive_rejected` for anything two readers could see differently: more than one end record, a wrong count, several
 * disks, ZIP64, encryption, a method other than stored (0) and deflated (8).
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
    rejectArchive("The ZIP uses ZIP64, which no archive of an accepted size needs.");
  }
  if (count > MAX_ARCHIVE_ENTRIES) {
    throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
  }
  if (directoryOffset + size !== end) rejectArchive("The ZIP's central directory is not where its end record says.");
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
  if (found === -1) rejectArchive("The ZIP is cut off, or has bytes after its end record.");
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

// Section 4.4.4: bits 1 and 2 tune deflate, 3 announces a data descriptor, 11 says UTF-8.
const KNOWN_FLAGS = (1 << 1) | (1 << 2) | (1 << 3) | (1 << 11);
const ENCRYPTION_FLAGS = (1 << 0) | (1 << 6) | (1 << 13);

function assertReadable({ name, flags, method, packedSize, size, headerOffset }: ZipRecord): void {
  if ((flags & ENCRYPTION_FLAGS) !== 0) rejectArchive(`${quotePath(name)} is encrypted.`);
  if ((flags & ~KNOWN_FLAGS) !== 0) rejectArchive(`${quotePath(name)} uses a ZIP feature that is not supported.`);
  if (method !== 0 && method !== 8)
    rejectArchive(`${quotePath(name)} uses compression method ${method}; only 0 and 8 are read.`);
  if (packedSize === 0xffffffff || size === 0xffffffff || headerOffset === 0xffffffff) {
    rejectArchive(`${quotePath(name)} uses ZIP64, which no archive of an accepted size needs.`);
  }
}

const ZIP64_EXTRA = 0x0001;
/** Info-ZIP's Unicode path (APPNOTE.TXT, section 4.6.9): version, CRC of the name, then the name in UTF-8. */
const UNICODE_PATH_EXTRA = 0x7075;

/**
 * The name in a local or central header. Names are UTF-8 whether bit 11 says so or not (common tools forget it); other code
 * pages are refused, and so is an extra field that carries a second, different name or ZIP64 sizes.
 */
export function readZipName(rawName: Buffer, extra: Buffer, flags: number): string {
  const name = decodeText(rawName);
  // A byte order mark would vanish while decoding.
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
    if (id === ZIP64_EXTRA) rejectArchive(`${quotePath(name)} uses ZIP64, which no archive of an accepted size needs.`);
    if (id === UNICODE_PATH_EXTRA && !extra.subarray(offset + 9, end).equals(rawName)) {
      rejectArchive(`${quotePath(name)} carries a second, different name.`);
    }
    offset = end;
  }
  return name;
}
