import { AppError } from "@/lib/core/errors";
import { MAX_ARCHIVE_ENTRIES, MAX_ARCHIVE_FILES, MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "./limits";
import { quotePath } from "./reject-archive";

export type ArchiveBudget = { addEntry(): void; addFile(path: string, sizeBytes: number): void };

/** Counts entries, files and unpacked bytes of one archive and throws `too_large` at the first limit that is passed. */
export function createArchiveBudget(): ArchiveBudget {
  let entries = 0;
  let files = 0;
  let totalBytes = 0;
  return {
    addEntry() {
      entries += 1;
      if (entries > MAX_ARCHIVE_ENTRIES) {
        throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_ENTRIES} entries.`);
      }
    },
    addFile(path, sizeBytes) {
      files += 1;
      totalBytes += sizeBytes;
      if (files > MAX_ARCHIVE_FILES) {
        throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_FILES} files.`);
      }
      if (sizeBytes > MAX_FILE_BYTES) {
        throw new AppError("too_large", `${quotePath(path)} is larger than ${MAX_FILE_BYTES} bytes.`);
      }
      if (totalBytes > MAX_UNPACKED_BYTES) {
        throw new AppError("too_large", `The archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes.`);
      }
    },
  };
}
