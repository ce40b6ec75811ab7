import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";

type Identified = { kind: "program" | "bytecode" | "archive" | "media"; label: string; extensions: string[] };

const ZIP_FORMATS = [
  "zip",
  "docx",
  "xlsx",
  "pptx",
  "dotx",
  "potx",
  "odt",
  "ods",
  "odp",
  "epub",
  "jar",
  "whl",
  "xpi",
  "vsix",
  "skill",
  "mcpb",
  "sketch",
  "fla",
  "ipa",
  "apk",
  "aab",
  "kmz",
  "3mf",
  "usdz",
  "nupkg",
  "key",
  "pages",
  "numbers",
  "crx",
  "pbix",
  "twbx",
];

/** First bytes of formats, in hexadecimal; a dot stands for any digit. */
const SIGNATURES: [string, Identified["kind"], string, string[]][] = [
  ["7f454c46", "program", "ELF program", []],
  ["4d5a", "program", "Windows program", []],
  ["feedface", "program", "Mach-O program", []],
  ["feedfacf", "program", "Mach-O program", []],
  ["cefaedfe", "program", "Mach-O program", []],
  ["cffaedfe", "program", "Mach-O program", []],
  ["0061736d", "bytecode", "WebAssembly module", ["wasm"]],
  ["cafebabe", "bytecode", "Java class or Mach-O program", ["class"]],
  ["6465780a", "bytecode", "Dalvik bytecode", ["dex"]],
  ["504b0304", "archive", "ZIP archive", ZIP_FORMATS],
  ["504b0506", "archive", "ZIP archive", ZIP_FORMATS],
  ["1f8b", "archive", "gzip archive", ["gz", "tgz", "svgz"]],
  ["425a68", "archive", "bzip2 archive", ["bz2", "tbz", "tbz2"]],
  ["fd377a585a00", "archive", "xz archive", ["xz", "txz"]],
  ["28b52ffd", "archive", "Zstandard archive", ["zst"]],
  ["377abcaf271c", "archive", "7-Zip archive", ["7z"]],
  ["526172211a07", "archive", "RAR archive", ["rar"]],
  ["89504e47", "media", "PNG picture", ["png", "apng"]],
  ["ffd8ff", "media", "JPEG picture", ["jpg", "jpeg", "jpe"]],
  ["47494638", "media", "GIF picture", ["gif"]],
  ["52494646", "media", "RIFF media", ["webp", "wav", "avi"]],
  ["424d", "media", "BMP picture", ["bmp"]],
  ["00000100", "media", "icon", ["ico", "cur"]],
  ["........66747970", "media", "MP4 media", ["mp4", "m4a", "m4v", "mov", "heic", "avif", "heif"]],
  ["494433", "media", "MP3 sound", ["mp3"]],
  ["fff", "media", "MPEG sound", ["mp3", "aac"]],
  ["4f676753", "media", "Ogg media", ["ogg", "oga", "ogv", "opus"]],
  ["664c6143", "media", "FLAC sound", ["flac"]],
  ["1a45dfa3", "media", "Matroska media", ["webm", "mkv"]],
  ["25504446", "media", "PDF document", ["pdf", "ai"]],
  ["d0cf11e0", "media", "old Office document", ["doc", "xls", "ppt", "msg"]],
  ["00010000", "media", "font", ["ttf", "ttc"]],
  ["74746366", "media", "font", ["ttc"]],
  ["4f54544f", "media", "font", ["otf"]],
  ["774f4646", "media", "font", ["woff"]],
  ["774f4632", "media", "font", ["woff2"]],
  ["49492a00", "media", "TIFF picture", ["tif", "tiff", "dng"]],
  ["4d4d002a", "media", "TIFF picture", ["tif", "tiff"]],
  ["53514c69746520666f726d61742033", "media", "SQLite database", ["db", "sqlite", "sqlite3"]],
  ["50415231", "media", "Parquet data", ["parquet"]],
  ["934e554d5059", "media", "NumPy data", ["npy"]],
];

export const unreadableFile: Rule = {
  id: "OBF-003",
  version: 1,
  severity: "high",
  title: "File that cannot be read",
  why: "A program, bytecode, an archive or a file that is not what its name says: nobody can review it here.",
  owasp: ["ASI04", "ASI05"],
  decoded: false,
  checkSkill: ({ files }) => files.flatMap((file) => look(file, files).map((hit) => ({ ...hit, path: file.path }))),
};

function look(file: ScanFile, files: ScanFile[]): Hit[] {
  const { name, extension, mode, kind, bytes } = file;
  const what = identifyBytes(bytes);
  const hidden =
    name.startsWith(".") &&
    !/^\.(?:env|git|prettier|eslint|editor|npm|node|nvm|python|babel|docker|markdownlint|stylelint|pre-commit|tool-versions)/.test(
      name,
    );
  if (kind !== "binary") {
    if (hidden && (mode === "755" || file.text.startsWith("#!"))) return [{ text: `hidden script ${name}` }];
    return mode === "755" && /^(?:md|txt|json|ya?ml|toml|csv)$/.test(extension)
      ? [{ text: `executable ${name}`, severity: "info" }]
      : [];
  }
  if (what?.kind === "program") return [{ text: `${what.label} in ${name}` }];
  if (extension === "pyc" || what?.kind === "bytecode") {
    // What Python leaves beside a source is litter; without the source it is the program.
    const source = `${name.replace(/(?:\.cpython-\d+)?(?:\.opt-\d)?\.pyc$/, "")}.py`;
    const beside = files.some((other) => other.name === source);
    return [{ text: `bytecode ${name}`, severity: beside ? "medium" : "high" }];
  }
  if (what?.kind === "archive") {
    const fits = what.extensions.includes(extension);
    const locked = what.label === "ZIP archive" && isLockedZip(bytes);
    if (locked && !/^(?:docx|xlsx|pptx)$/.test(extension)) return [{ text: `ZIP archive with a password: ${name}` }];
    return [
      { text: `${what.label} in ${name}`, severity: fits ? (isDocument(extension) ? "info" : "medium") : "high" },
    ];
  }
  if (what !== null)
    return what.extensions.includes(extension) ? [] : [{ text: `${what.label} in ${name}`, severity: "medium" }];
  if (/^(?:sh|py|js|ts|mjs|rb|ps1|md|txt|json|ya?ml|toml)$/.test(extension)) return [{ text: `${name} is not text` }];
  return hidden && name !== ".ds_store"
    ? [{ text: `hidden file ${name} of an unknown kind` }]
    : [{ text: `${name} is of an unknown kind`, severity: "medium" }];
}

function isDocument(extension: string): boolean {
  return /^(?:docx|xlsx|pptx|dotx|potx|odt|ods|odp|epub|jar|whl|xpi|crx|vsix|skill|mcpb)$/.test(extension);
}

/** Bit 0 of the flags in the first local header. */
function isLockedZip(bytes: Uint8Array): boolean {
  return bytes.length > 8 && ((bytes[6] ?? 0) & 1) === 1;
}

/** What a file is by its first bytes; null for kinds that are not known here. */
function identifyBytes(bytes: Uint8Array): Identified | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  for (const [signature, kind, label, extensions] of SIGNATURES) {
    if (!startsWith(head, signature)) continue;
    // Every text that begins with "MZ" is no program: those have a header pointer further on.
    if (signature === "4d5a" && bytes.length < 64) continue;
    return { kind, label, extensions };
  }
  return null;
}

function startsWith(head: string, signature: string): boolean {
  for (let at = 0; at < signature.length; at += 1)
    if (signature[at] !== "." && signature[at] !== head[at]) return false;
  return true;
}
