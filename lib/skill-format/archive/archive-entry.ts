import { AppError } from "@/lib/core/errors";
import { MAX_ARCHIVE_ENTRIES, MAX_ARCHIVE_FILES, MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "./limits";

/** What a reader found at a path that `safePath` has accepted. Content is complete and checked. */
export type ArchiveEntry =
  | { kind: "file"; path: string; mode: "644" | "755"; bytes: Uint8Array }
  /** `target` as written: relative to the link's folder, or to the archive's root for a hard link. */
  | { kind: "link"; path: string; target: string; from: "folder" | "root" }
  /** Something that is left out while the rest is read; `message` says why. */
  | { kind: "refused"; path: string; code: "link_refused" | "submodule_left_out"; message: string }
  | { kind: "folder"; path: string }
  | { kind: "junk"; path: string };

/** Throws `archive_rejected`. An archive is taken whole or not at all. */
export function rejectArchive(message: string, cause?: unknown): never {
  throw new AppError("archive_rejected", message, { cause });
}

/** A path for an error message: control and invisible characters are written as escapes, and long ones are cut. */
export function quotePath(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const escaped = cut.replace(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped}"`;
}

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

/** 755 when any executable bit is set, else 644. Set-uid, set-gid and sticky files are refused (`archive_rejected`). */
export function fileMode(path: string, permissions: number): "644" | "755" {
  if ((permissions & 0o7000) !== 0) {
    rejectArchive(`${quotePath(path)} has a set-uid, set-gid or sticky bit; only plain files are accepted.`);
  }
  return (permissions & 0o111) === 0 ? "644" : "755";
}

const JUNK = /^(\.ds_store|__macosx|thumbs\.db|desktop\.ini|\.git|paxheaders?(\.\d+)?|pax_global_header|\._.*)$/i;

/** Whether a path is debris of an operating system or an archiver, or belongs to a git repository's own folder. */
export function isJunk(path: string): boolean {
  return path.split("/").some((segment) => JUNK.test(segment));
}
