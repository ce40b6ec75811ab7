import { crc32, type InflateRaw, inflateRaw } from "node:zlib";
import { MAX_RATIO, RATIO_FLOOR_BYTES } from "./limits";
import type { ZipRecord } from "./read-zip-directory";
import { quotePath, rejectArchive } from "./reject-archive";

/**
 * The content of an entry, never more bytes than its header declares: inflating stops there. Throws `archive_rejected` when
 * the declared size, the CRC-32 or the packed length is wrong, or above 64 KiB when the ratio passes 100:1.
 */
export async function inflateZipEntry(record: ZipRecord, packed: Buffer): Promise<Uint8Array> {
  assertRatio(record);
  const bytes = record.method === 0 ? new Uint8Array(packed) : await inflate(record, packed);
  if (bytes.length !== record.size) rejectArchive(`${quotePath(record.name)} has another size than the ZIP declares.`);
  if (crc32(bytes) !== record.crc) rejectArchive(`${quotePath(record.name)} is damaged: its checksum differs.`);
  return bytes;
}

function assertRatio({ name, size, packedSize }: ZipRecord): void {
  if (size > RATIO_FLOOR_BYTES && size > packedSize * MAX_RATIO) {
    rejectArchive(`${quotePath(name)} is packed more than ${MAX_RATIO}:1, as only a bomb would be.`);
  }
}

type Inflated = { buffer: Buffer; engine: InflateRaw };

async function inflate(record: ZipRecord, packed: Buffer): Promise<Uint8Array> {
  const shown = quotePath(record.name);
  const result = await new Promise<Inflated>((resolve, reject) => {
    // maxOutputLength must be at least 1; an empty file is checked by its length.
    const options = { maxOutputLength: Math.max(1, record.size), info: true };
    inflateRaw(packed, options, (error, value) => (error === null ? resolve(withInfo(value)) : reject(error)));
  }).catch((error: unknown) => rejectArchive(`${shown} is damaged, or larger than the ZIP declares.`, error));
  if (result.engine.bytesWritten !== packed.length) rejectArchive(`${shown} has bytes after the end of its data.`);
  return new Uint8Array(result.buffer.buffer, result.buffer.byteOffset, result.buffer.length);
}

/** With `info: true` zlib answers `{ buffer, engine }`, which its types do not know. */
function withInfo(value: unknown): Inflated {
  return value as Inflated;
}
