import type { ZipRecord } from "./read-zip-directory";
import { readZipName } from "./read-zip-name";
import { quotePath, rejectArchive } from "./reject-archive";

const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const LOCAL_BYTES = 30;
const HAS_DESCRIPTOR = 1 << 3;

/**
 * The packed bytes of each record, in the order of the records. Every byte before the central directory must belong to
 * exactly one entry: no gap, no overlap, nothing before the first; local headers (APPNOTE.TXT, section 4.3.7) and data
 * descriptors (4.3.9) must say what the central directory says. Throws `archive_rejected`.
 */
export function locateZipData(zip: Buffer, records: ZipRecord[], directoryOffset: number): Buffer[] {
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
    rejectArchive(`The ZIP's entry ${shown} overlaps another or has no header.`);
  }
  const nameEnd = start + LOCAL_BYTES + zip.readUInt16LE(start + 26);
  const dataStart = nameEnd + zip.readUInt16LE(start + 28);
  const dataEnd = dataStart + record.packedSize;
  if (dataEnd > end) rejectArchive(`The ZIP's entry ${shown} overlaps another.`);
  const rawName = zip.subarray(start + LOCAL_BYTES, nameEnd);
  if (!rawName.equals(record.rawName)) {
    rejectArchive(`The ZIP names ${shown} ${quotePath(rawName.toString("utf8"))} in another place.`);
  }
  readZipName(rawName, zip.subarray(nameEnd, dataStart), record.flags);
  if (zip.readUInt16LE(start + 6) !== record.flags || zip.readUInt16LE(start + 8) !== record.method) {
    rejectArchive(`The ZIP describes ${shown} in two different ways.`);
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
    rejectArchive(`The ZIP gives ${quotePath(record.name)} two different sizes or checksums.`);
  }
}
