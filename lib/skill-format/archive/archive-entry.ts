import { AppError } from "@/lib/core/errors";
import {
  MAX_ARCHIVE_ENTRIES,
  MAX_ARCHIVE_FILES,
  MAX_FILE_BYTES,
  MAX_PATH_BYTES,
  MAX_PATH_DEPTH,
  MAX_SEGMENT_CHARS,
  MAX_UNPACKED_BYTES,
} from "./limits";

/** An entry with a path accepted by `safePath`. The content is complete and checked. */
export type ArchiveEntry =
  | { kind: "file"; path: string; mode: "644" | "755"; bytes: Uint8Array }
  /** `target` as written: relative to the link's folder, for hard links to the archive's root. */
  | { kind: "link"; path: string; target: string; from: "folder" | "root" }
  /** Left out while the rest is read; `message` gives the reason. */
  | { kind: "refused"; path: string; code: "link_refused" | "submodule_left_out"; message: string }
  | { kind: "folder"; path: string }
  | { kind: "junk"; path: string };

/** Throws `archive_rejected`. An archive is accepted as a whole or not at all. */
export function rejectArchive(message: string, cause?: unknown): never {
  throw new AppError("archive_rejected", message, { cause });
}

export function quotePath(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const escaped = cut.replace(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped}"`;
}

export type ArchiveBudget = { addEntry(): void; addFile(path: string, sizeBytes: number): void };

/** Counts entries, files and unpacked bytes of one archive. Throws `too_large` at the first limit exceeded. */
export function createArchiveBudget(): ArchiveBudget {
  let entries = 0;
  let files = 0;
  let totalBytes = 0;
  return {
    addEntry() {
      entries += 1;
      if (entries > MAX_ARCHIVE_ENTRIES) {
        throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_ENTRIES} entries. Split it.`);
      }
    },
    addFile(path, sizeBytes) {
      files += 1;
      totalBytes += sizeBytes;
      if (files > MAX_ARCHIVE_FILES) {
        throw new AppError("too_large", `The archive has more than ${MAX_ARCHIVE_FILES} files. Split it.`);
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

/** 755 if any executable bit is set, else 644. Throws `archive_rejected` for set-uid, set-gid and sticky files. */
export function fileMode(path: string, permissions: number): "644" | "755" {
  if ((permissions & 0o7000) !== 0) {
    rejectArchive(
      `${quotePath(path)} has a set-uid, set-gid or sticky bit. Remove the bit and pack the archive again.`,
    );
  }
  return (permissions & 0o111) === 0 ? "644" : "755";
}

const JUNK = /^(\.ds_store|__macosx|thumbs\.db|desktop\.ini|\.git|paxheaders?(\.\d+)?|pax_global_header|\._.*)$/i;

export function isJunk(path: string): boolean {
  return path.split("/").some((segment) => JUNK.test(segment));
}

/**
 * Returns the NFC form of a relative path that is safe on every system; throws `archive_rejected` with the path and
 * reason otherwise. At most 10 segments of 100 characters, 240 UTF-8 bytes in all; letters, digits, marks, spaces and
 * punctuation of any script, without invisible characters and those that Windows forbids.
 */
export function safePath(raw: string): string {
  const path = raw.normalize("NFC");
  const problem = findPathProblem(path);
  if (problem !== null) rejectArchive(`The path ${quotePath(raw)} is refused: ${problem}.`);
  return path;
}

/** Throws `archive_rejected` for paths that collide without letter case, or are both a file and a folder. */
export function assertUniquePaths(paths: string[], folders: string[] = []): void {
  const files = new Map<string, string>();
  for (const path of paths) {
    const key = foldCase(path);
    const other = files.get(key);
    if (other !== undefined) {
      rejectArchive(
        other === path
          ? `The path ${quotePath(path)} appears twice.`
          : `The paths ${quotePath(other)} and ${quotePath(path)} differ only in letter case.`,
      );
    }
    files.set(key, path);
  }
  for (const folder of [...paths.flatMap(ancestors), ...folders]) {
    const file = files.get(foldCase(folder));
    if (file !== undefined) rejectArchive(`The path ${quotePath(file)} is both a file and a folder.`);
  }
}

export function ancestors(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

const ALLOWED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
// U+2800 is a blank symbol; U+FFFD marks a name that was not UTF-8.
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\u2800\ufffd]/u;
const WINDOWS_CHARS = /[<>:"|?*]/;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])$/i;

function findPathProblem(path: string): string | null {
  if (path === "") return "it is empty";
  if (path.includes("\\")) return "it has a backslash";
  if (path.startsWith("/")) return "it is absolute";
  if (/^[a-z]:/i.test(path)) return "it begins with a drive letter";
  if (new TextEncoder().encode(path).length > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (!ALLOWED.test(path) || HIDDEN.test(path)) return "it has a control, invisible or unassigned character";
  const segments = path.split("/");
  if (segments.length > MAX_PATH_DEPTH) return `it is deeper than ${MAX_PATH_DEPTH} segments`;
  for (const segment of segments) {
    const problem = findSegmentProblem(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function findSegmentProblem(segment: string): string | null {
  if (segment === "") return "it has an empty segment";
  if (segment === "." || segment === "..") return `it has a "${segment}" segment`;
  if ([...segment].length > MAX_SEGMENT_CHARS) return `a segment is longer than ${MAX_SEGMENT_CHARS} characters`;
  if (WINDOWS_CHARS.test(segment)) return 'it has one of < > : " | ? *';
  if (/[. ]$/.test(segment)) return "a segment ends with a dot or a space";
  const stem = segment.split(".", 1)[0]?.trimEnd() ?? "";
  if (DEVICE.test(stem)) return `"${stem}" is a device name on Windows`;
  // Programs that map full-width characters to ASCII would read another path.
  const mapped = segment.normalize("NFKC");
  if (/[/\\]/.test(mapped) || /^\.{1,2}$/.test(mapped)) return "it has a look-alike of a slash or of dots";
  return null;
}

function foldCase(path: string): string {
  return path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}
