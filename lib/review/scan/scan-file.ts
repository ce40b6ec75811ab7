import { constants, inflateSync } from "node:zlib";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { MAX_TEXT_CHARS } from "./limits";

export type FileKind = "prose" | "script" | "config" | "data" | "binary";

export type ScanFile = {
  path: string;
  /** Last segment of the path, lower case. */
  name: string;
  /** Lower case, without the dot; empty if none. */
  extension: string;
  mode: SkillFile["mode"];
  bytes: Uint8Array;
  kind: FileKind;
  /** Empty for binary files; without a byte order mark. */
  text: string;
  unread: "encoding" | "too_long" | null;
  /** The values of its scripts are not followed, because the skill has too many. */
  isBeyondFollowing?: true;
  /** Files of the skill that this one imports, starts or reads. */
  linked?: readonly ScanFile[];
  /** Such files that are not followed with it, because they are too many or too large. */
  unlinked?: readonly ScanFile[];
  /** Code fences, inline code and comments in Markdown; the whole text of other files. */
  codeRanges: Range[];
};

export type ScanSkill = { files: ScanFile[] };

const SCRIPTS =
  /^(sh|bash|zsh|fish|ksh|command|ps1|psm1|bat|cmd|vbs|py|pyw|js|mjs|cjs|ts|mts|cts|tsx|jsx|rb|pl|php|lua|go|rs|swift|applescript|scpt|java|kt|cs|c|cc|cpp|h|r|jl|awk|tcl|exs?|nu|groovy|scala|dart|sql|makefile)$/;
const CONFIGS = /^(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|plist|service|timer|env|xml|properties|lock|tf)$/;
const PROSE = /^(md|mdx|markdown|mdc|txt|rst|adoc|org)$/;

/** Decodes a file: UTF-16 by its byte order mark; other text that is not UTF-8 byte by byte. */
export function openScanFile({ path, mode, bytes }: SkillFile): ScanFile {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = /\.([^.]+)$/.exec(name)?.[1] ?? "";
  const read = readText(bytes);
  const whole = read.text ?? "";
  const text = whole.slice(0, MAX_TEXT_CHARS);
  const kind = read.text === null ? "binary" : kindOf(name, extension, text);
  const unread = read.text === null ? null : text.length < whole.length ? "too_long" : read.exact ? null : "encoding";
  let codeRanges: Range[] | null = null;
  return {
    ...{ path, name, extension, mode, bytes, kind, text, unread },
    get codeRanges() {
      codeRanges ??= kind === "prose" ? findCodeRanges(text) : [{ start: 0, end: text.length }];
      return codeRanges;
    },
  };
}

function readText(bytes: Uint8Array): { text: string | null; exact: boolean } {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), exact: false };
  const nuls = countNuls(bytes);
  if (nuls === 0) {
    const text = decodeText(bytes);
    if (text !== null) return { text, exact: true };
  }
  // A few stray bytes must not hide the rest of a text.
  if (nuls > bytes.length / 1_000 || controlShare(bytes) > 0.05) return { text: null, exact: false };
  return { text: new TextDecoder("windows-1252").decode(bytes), exact: false };
}

/** Characters of a run of text between other bytes, and of all runs together. */
const MIN_RUN_CHARS = 16;
const MIN_HIDDEN_CHARS = 40;
const MAX_INFLATED_BYTES = 2 * 1024 * 1024;

/** `isCut`: compressed streams were left out. */
type HiddenTexts = { texts: ScanFile[]; isCut: boolean };

/** The readable text of a picture, font, document or unknown file as files of these kinds; none if it has little. */
export function hiddenTexts({ path, name, mode, bytes }: ScanFile, kinds: readonly FileKind[]): HiddenTexts {
  if (kinds.length === 0) return { texts: [], isCut: false };
  const decode = (part: Uint8Array) => new TextDecoder().decode(part).slice(0, MAX_TEXT_CHARS);
  const runs = (text: string) => text.match(READABLE)?.join("\n") ?? "";
  const own = runs(decode(bytes));
  const isPdf = own.startsWith("%PDF") || decode(bytes.subarray(0, 5)) === "%PDF-";
  // A PDF writes a sentence as many strings with distances between them.
  const { parts, isCut } = isPdf ? inflateStreams(bytes) : { parts: [], isCut: false };
  const text = isPdf ? `${own}\n${runs(parts.map(decode).join("\n"))}`.replace(/\)[\s\d.-]{0,20}\(/g, "") : own;
  if (text.length < MIN_HIDDEN_CHARS) return { texts: [], isCut };
  const isPython = /^[ \t]*(?:import \w|from [\w.]+ import|def \w+\()/m.test(text);
  const isJavaScript = /\brequire\(|\b(?:const|let|var) \w+ ?=|=>|\bfunction\b/.test(text);
  const script = isPython ? "py" : isJavaScript ? "js" : "sh";
  const texts = kinds.map((kind) => ({
    ...{ path, name, mode, bytes, kind, text, unread: null },
    extension: kind === "script" ? script : "txt",
    codeRanges: kind === "script" ? [{ start: 0, end: text.length }] : [],
  }));
  return { texts, isCut };
}

/** Text between control characters and bytes that are no UTF-8. */
const READABLE = new RegExp(`[^\\0-\\x08\\x0e-\\x1f\\x7f\\ufffd]{${MIN_RUN_CHARS},}`, "g");

/** What the compressed streams of a PDF hold: those of pictures last, which are large and have no text. */
function inflateStreams(bytes: Uint8Array): { parts: Uint8Array[]; isCut: boolean } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const texts: Uint8Array[] = [];
  const pictures: Uint8Array[] = [];
  for (let at = all.indexOf("stream"); at !== -1; at = all.indexOf("stream", at + 6)) {
    const start = at + (all[at + 6] === 13 ? 8 : 7);
    const end = all.indexOf("endstream", start);
    if (end === -1) break;
    // The dictionary of a stream is before it.
    const before = all.toString("latin1", Math.max(0, at - 400), at);
    const dictionary = before.slice(before.lastIndexOf(" obj") + 1);
    if (/\/FlateDecode|\/Fl\b/.test(dictionary) || !/\/Filter\b/.test(dictionary))
      (/\/Subtype\s*\/Image\b/.test(dictionary) ? pictures : texts).push(all.subarray(start, end));
    at = end + 3;
  }
  const parts: Uint8Array[] = [];
  let left = MAX_INFLATED_BYTES;
  let isCut = false;
  for (const stream of [...texts, ...pictures]) {
    const part = left > 0 ? inflate(stream, left) : "large";
    // Not compressed or damaged.
    if (part === null) left -= 1_000;
    else if (part !== "large") {
      left -= part.length;
      parts.push(part);
    } else {
      isCut ||= mayBeText(stream);
      left -= MAX_INFLATED_BYTES / 4;
    }
    if (left <= 0 && isCut) break;
  }
  return { parts, isCut };
}

function inflate(stream: Uint8Array, maxOutputLength: number): Uint8Array | "large" | null {
  try {
    return inflateSync(stream, { maxOutputLength });
  } catch (error) {
    return error instanceof RangeError ? "large" : null;
  }
}

/** Whether the beginning of a compressed stream is no picture or font. */
function mayBeText(stream: Uint8Array): boolean {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_INFLATED_BYTES };
    return controlShare(inflateSync(stream.subarray(0, 1_024), options)) <= 0.05;
  } catch {
    return false;
  }
}

function countNuls(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0); at !== -1 && count < 100_000; at = bytes.indexOf(0, at + 1)) count += 1;
  return count;
}

function controlShare(bytes: Uint8Array): number {
  const sample = bytes.subarray(0, 8_192);
  let count = 0;
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte > 0xf4) count += 1;
  return sample.length === 0 ? 0 : count / sample.length;
}

function kindOf(name: string, extension: string, text: string): FileKind {
  if (text.startsWith("#!") || SCRIPTS.test(extension) || /^(makefile|dockerfile|justfile|rakefile)$/.test(name)) {
    return "script";
  }
  if (CONFIGS.test(extension) || name.startsWith(".env")) return "config";
  if (PROSE.test(extension) || /^(readme|license|notice|changelog|authors)$/.test(name)) return "prose";
  return extension === "" ? "script" : "data";
}

/** Entries and scripts first: when the work runs out, data is left over and not what runs. */
export function inScanOrder<F extends Pick<SkillFile, "path" | "mode">>(files: readonly F[]): F[] {
  const ranked = files.map((file) => ({ file, rank: rankOf(file) }));
  return ranked.sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1)).map(({ file }) => file);
}

function rankOf({ path, mode }: Pick<SkillFile, "path" | "mode">): number {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = /\.([^.]+)$/.exec(name)?.[1] ?? "";
  if (name === "skill.md") return 0;
  if (SCRIPTS.test(extension) || mode === "755" || /^(?:makefile|dockerfile|package\.json)$/.test(name)) return 1;
  return CONFIGS.test(extension) ? 2 : PROSE.test(extension) ? 3 : 4;
}

export type Range = { start: number; end: number };

/** Fenced blocks, command lines that begin with `$ `, inline code and HTML comments of a Markdown text, sorted. */
export function findCodeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let fence: { mark: string; start: number } | null = null;
  let offset = 0;
  for (const line of text.split("\n")) {
    const mark = /^[ \t]{0,12}(?:[-*>] ?)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      if (mark !== undefined) fence = { mark, start: offset };
      else addInline(ranges, line, offset);
    } else if (mark !== undefined && mark[0] === fence.mark[0] && mark.length >= fence.mark.length) {
      ranges.push({ start: fence.start, end: offset + line.length });
      fence = null;
    }
    offset += line.length + 1;
  }
  if (fence !== null) ranges.push({ start: fence.start, end: text.length });
  return ranges;
}

export function isInRanges(ranges: Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (offset < range.start) high = middle - 1;
    else if (offset >= range.end) low = middle + 1;
    else return true;
  }
  return false;
}

function addInline(ranges: Range[], line: string, offset: number): void {
  if (/^\s*\$ /.test(line)) {
    ranges.push({ start: offset, end: offset + line.length });
    return;
  }
  let at = line.indexOf("`");
  while (at !== -1) {
    const end = line.indexOf("`", at + 1);
    if (end === -1) return;
    ranges.push({ start: offset + at, end: offset + end + 1 });
    at = line.indexOf("`", end + 1);
  }
}
