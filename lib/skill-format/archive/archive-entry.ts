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

/**
 * The NFC form of a relative path that is safe on every system, or AppError `archive_rejected` naming the path and the
 * reason. Nothing is repaired. At most 10 segments of 100 characters, 240 UTF-8 bytes together; letters, digits, marks,
 * spaces and punctuation of any script, without what Windows forbids and without anything that cannot be seen.
 */
export function safePath(raw: string): string {
  const path = raw.normalize("NFC");
  const problem = findPathProblem(path);
  if (problem !== null) rejectArchive(`The path ${quotePath(raw)} is refused: ${problem}.`);
  return path;
}

/**
 * Refuses paths that would land on each other where case is ignored (macOS, Windows), and a path that is both a file and a
 * folder. `folders` are folders named without a file in them. Throws AppError `archive_rejected`.
 */
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

/** Every folder above a path, the nearest last. */
export function ancestors(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

const ALLOWED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
// U+2800 is a blank symbol, U+FFFD the trace of a name that was not UTF-8.
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
  // A program that maps full-width letters to ASCII would read these as another path.
  const mapped = segment.normalize("NFKC");
  if (/[/\\]/.test(mapped) || /^\.{1,2}$/.test(mapped)) return "it has a look-alike of a slash or of dots";
  return null;
}

function foldCase(path: string): string {
  return path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}
