import { decodeText } from "./is-text";
import { quotePath, rejectArchive } from "./reject-archive";

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
