import { type Gunzip, gunzip } from "node:zlib";
import { AppError } from "@/lib/core/errors";
import { MAX_ARCHIVE_ENTRIES, MAX_RATIO, MAX_UNPACKED_BYTES, RATIO_FLOOR_BYTES } from "./limits";
import { rejectArchive } from "./reject-archive";

// Each entry costs at most a header, a pax header with its content, and padding.
const MAX_TAR_BYTES = MAX_UNPACKED_BYTES + MAX_ARCHIVE_ENTRIES * 2_048;

/**
 * The tar inside a gzip file (RFC 1952). Inflating stops at the first byte over the limit: 100 bytes for each packed one
 * (but at least 64 KiB), and the unpacked limit plus headers. Throws `archive_rejected` or `too_large`.
 */
export async function gunzipTar(bytes: Uint8Array): Promise<Buffer> {
  const ratioCap = Math.max(RATIO_FLOOR_BYTES, bytes.length * MAX_RATIO);
  const maxOutputLength = Math.min(MAX_TAR_BYTES, ratioCap);
  const { buffer, engine } = await new Promise<Gunzipped>((resolve, reject) => {
    gunzip(bytes, { maxOutputLength, info: true }, (error, value) =>
      error === null ? resolve(withInfo(value)) : reject(error),
    );
  }).catch((error: unknown) => {
    if (!isOverflow(error)) rejectArchive("The gzip data is damaged or cut off.", error);
    if (ratioCap < MAX_TAR_BYTES)
      rejectArchive(`The archive is packed more than ${MAX_RATIO}:1, as only a bomb would be.`);
    throw new AppError("too_large", `The archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes.`);
  });
  if (engine.bytesWritten !== bytes.length) rejectArchive("The gzip file has bytes after the end of its data.");
  return buffer;
}

type Gunzipped = { buffer: Buffer; engine: Gunzip };

/** With `info: true` zlib answers `{ buffer, engine }`, which its types do not know. */
function withInfo(value: unknown): Gunzipped {
  return value as Gunzipped;
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
