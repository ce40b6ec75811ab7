import { quotePath, rejectArchive } from "./archive-entry";
import { MAX_PATH_BYTES, MAX_PATH_DEPTH, MAX_SEGMENT_CHARS } from "./limits";

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
