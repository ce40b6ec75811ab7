import { alphabet, HEX, joinedRuns } from "../scan/encoded-text";
import { NOT_SCANNED } from "../scan/findings";
import type { Hit, Rule } from "../scan/rule";
import type { FileKind, ScanFile } from "../scan/scan-file";
import { findAll, has, isCommand, isNegativeExample } from "./evidence";
import { rulesOf } from "./rule-rows";
import { hitsOf } from "./value-flows";

const STANDARD = alphabet(/[A-Za-z0-9+/]/, 60);

type Identified = { kind: "program" | "bytecode" | "archive" | "media"; label: string; extensions: string[] };

const ZIP_FORMATS =
  `zip docx xlsx pptx dotx potx odt ods odp epub jar whl xpi vsix skill mcpb sketch fla ipa apk aab kmz 3mf usdz nupkg
  key pages numbers crx pbix twbx`.split(/\s+/);

/** Magic bytes in hexadecimal; a dot matches any digit. */
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

const MEDIA = SIGNATURES.filter(([, kind]) => kind === "media").flatMap(([, , , extensions]) => extensions);
/** Those of more than two letters, which no other words end with. */
const MEDIA_ENDINGS = [...new Set(MEDIA)].filter((ending) => !/^(?:ai|db|doc|msg|key|sqlite3?)$/.test(ending));
const MEDIA_HINTS = MEDIA_ENDINGS.map((ending) => `.${ending}`);
const MEDIA_PATH = String.raw`["']?[\w./~$\{\}@-]{1,120}\.(?:${MEDIA_ENDINGS.join("|")})\b`;
const INTERPRETERS = String.raw`(?:ba|z|da|k)?sh|source|python[\d.]*|node|perl|ruby|php|deno\s+run|bun|pwsh|osascript`;

/** A program that reads the bytes of a picture or document and runs code. */
const MEDIA_NAME = new RegExp(String.raw`["'\x60][^"'\x60\n]{0,100}\.(?:${MEDIA_ENDINGS.join("|")})["'\x60]`, "i");
const RUNS_MEDIA = [
  MEDIA_NAME,
  /["']rb["']|\bread_bytes\(|\breadFile(?:Sync)?\(/,
  /(?<![.\w])(?:exec|eval)\(|\brunpy\b|\bmarshal\.loads\b|\bnew Function\(|\bvm\.run\w|\bspec_from_file_location\b|\b(?:subprocess|os\.system|child_process|exec\w*Sync|spawn)\b[^\n]{0,80}(?:python|sys\.executable|\bsh\b|\bbash\b|\bnode\b)/,
];
/** The picture stands beside the interpreter, which the pattern finds. */
const NAMES_MEDIA = new RegExp(String.raw`(?:${INTERPRETERS})\s+(?:-[\w+]+\s+){0,3}(?:<\s*)?${MEDIA_PATH}`, "i");
/** It puts the picture into a page or a message. */
const EMBEDS = /b64encode|toString\(["']base64|\bImage\.open\b|\bPdfReader\b|\bpdfplumber\b|MIMEImage/;

export const OBFUSCATION: Rule[] = rulesOf([
  {
    id: "OBF-001",
    severity: "medium",
    title: "Long encoded text",
    why: "People cannot read this text. The scan decoded it and lists findings inside it separately.",
    owasp: ["ASI05"],
    decoded: false,
    applies: ({ kind, name, extension }) =>
      kind !== "binary" &&
      kind !== "data" &&
      !/lock|\.sum$/.test(name) &&
      !/^(?:lock|svg|ipynb|map|pem|crt|asc|pub)$/.test(extension),
    checkFile: ({ text }) => [
      ...joinedRuns(text, STANDARD)
        .filter(({ run, source }) => isEncoded(run) && !isEmbedded(text, source))
        .map(encodedHit),
      ...joinedRuns(text, HEX)
        .filter(({ run }) => run.length > 200)
        .map(encodedHit),
    ],
  },
  {
    id: "OBF-002",
    version: 2,
    severity: "high",
    title: "Obfuscated code",
    why: "The code is written so that people cannot read it. Its effect shows only when it runs.",
    owasp: ["ASI05", "ASI04"],
    decoded: false,
    asBad: "info",
    patterns: [
      { hints: ["chr("], re: String.raw`(?:chr\s*\(\s*(?:0x[0-9a-f]+|\d+)\s*\)\s*[+.,&]\s*){5,}` },
      {
        hints: ["fromcharcode", "chr("],
        re: String.raw`String\.fromCharCode\s*\((?:\s*(?:0x[0-9a-f]+|\d+)\s*,){9,}|["']{2}\.join\s*\(\s*(?:\[?\s*chr\s*\(|map\s*\(\s*chr\s*,\s*\[)`,
        weigh: ({ text, line }) =>
          /chr/i.test(text) && !/fromCharCode/i.test(text) ? /exec|eval|system|import/.test(line) || "medium" : true,
      },
      {
        // An address or a command as a list of numbers.
        hints: ["chr,", "chr(", "fromcharcode", "bytes(", "bytearray(", "buffer.from(", "uint8array"],
        re: String.raw`\bmap\s*\(\s*chr\s*,|\bchr\s*\([^)\n]{1,24}\)\s+for\b|\bfromCharCode\b|\b(?:bytes|bytearray|Buffer\.from|Uint8Array(?:\.from|\.of)?)\s*\(\s*[\[\w]`,
        weigh: ({ file }) => (has(file, NUMBERS) && hidesAddress(file.text) ? "critical" : false),
      },
      {
        hints: ["marshal", "__import__", "__builtins__", "getattr"],
        re: String.raw`\bexec\s*\(\s*marshal\.loads|\bmarshal\.loads\s*\(\s*(?:zlib|base64|b["'])|__import__\s*\(\s*["'](?:os|subprocess|pty|socket|base64|codecs|marshal|zlib)["']\s*\)\s*\.\s*\w+\s*\(|getattr\s*\(\s*(?:__builtins__|__import__\s*\([^)\n]*\)|os|subprocess)\s*,\s*(?:["']\w{1,6}["']\s*\+|["'](?:system|popen|exec|eval)["']|\w+\[)|(?:globals|locals|vars)\(\)\s*\[\s*["']__builtins__["']`,
      },
      { hints: ["_0x"], re: String.raw`\b(?:var|let|const|function)\s+_0x[0-9a-f]{4,}\b[^\n]*_0x[0-9a-f]{4,}` },
      {
        hints: ["eval", "exec", "system"],
        re: String.raw`\b(?:eval|exec|Function|os\.system)\s*\(\s*(?:[^\n]{0,80}\[::-1\]|[^\n]{0,120}\.split\(["'][^"']*["']\)\.reverse\(\)\.join|["']{2}\.join\s*\(|[^\n]{0,60}\.replace\(["'][^"'\n]{1,4}["'],\s*["']["']\))`,
      },
      {
        hints: ["eval", "printf", "rev", "tr "],
        re: String.raw`(?:\beval\s+["']?\$\([^)\n]*(?:\|\s*rev\b|\|\s*tr\s+["']?[A-Za-z]-?|printf\s+["'](?:\\x[0-9a-f]{2}){4,})|\bprintf\s+["'](?:\\(?:x[0-9a-f]{2}|[0-7]{3})){6,}[^\n]*\|\s*(?:ba)?sh\b|\becho\s+-\w*e\w*\s+["'](?:\\x[0-9a-f]{2}){6,}[^\n]*\|\s*(?:ba)?sh\b|\|\s*rev\s*\|\s*(?:ba)?sh\b|(?:\$\w{1,2}){6,}\s*$)`,
        weigh: ({ text }) => !/^(?:\$\w{1,2}){6,}/.test(text),
      },
      {
        hints: ["$'\\x", "${!", "]]+["],
        re: String.raw`\$'(?:\\x[0-9a-f]{2}){4,}[^'\n]*'|(?:\[\[\]\]|\+\[\]|!\+\[\]|\(!\[\]){6,}`,
      },
    ],
  },
  {
    id: "OBF-003",
    version: 4,
    severity: "high",
    title: "File that cannot be reviewed",
    why: "A program, bytecode, an archive, or a file whose content does not match its name cannot be reviewed here.",
    owasp: ["ASI04", "ASI05"],
    checkFile: (file) => {
      if (file.kind !== "script") return [];
      const isRun = RUNS_MEDIA.every((part) => has(file, part)) && !has(file, EMBEDS);
      return isRun
        ? findAll(file, [MEDIA_NAME])
        : hitsOf(file, "picture").filter(({ text = "" }) => !NAMES_MEDIA.test(text));
    },
    patterns: [
      {
        // A picture or document that an interpreter runs, whole or from a place on.
        hints: MEDIA_HINTS,
        re: `(?:(?:^|[\\s;&|(\\x60"'])(?:${INTERPRETERS}|chmod\\s+(?:\\+x|[ug]*\\+x|[0-7]?7[0-7]{2}))\\s+(?:-[\\w+]+\\s+){0,3}(?:<\\s*)?${MEDIA_PATH}|\\b(?:eval|source|${INTERPRETERS})\\s[^\\n|;]{0,80}(?:\\$\\(|<\\(|\\x60)[^\\n|]{0,80}${MEDIA_PATH}|${MEDIA_PATH}[^\\n|;]{0,60}(?:\\|[^\\n|;]{1,80}){0,3}\\|\\s*(?:sudo\\s+)?(?:${INTERPRETERS})\\b)`,
        // A script that reads the picture from its input has a name.
        weigh: (match) => isCommand(match) && !/^\s+[\w./-]+\.\w/.test(match.after) && !isNegativeExample(match),
      },
    ],
    checkSkill: ({ files }) =>
      files.flatMap((file) => inspectFile(file, files).map((hit) => ({ ...hit, path: file.path }))),
  },
  /** The scan itself adds findings of this rule when it reaches a limit. */
  {
    ...NOT_SCANNED,
    decoded: false,
    checkFile: ({ unread, text, kind, extension }) => {
      if (unread === null) return [];
      if (unread === "too_long") return [{ text: `Only the first ${text.length} characters were scanned.` }];
      const text_ = "The file is not valid UTF-8; it was scanned as well as it could be.";
      // Data files and old notes often use another encoding; instructions and scripts should not.
      return [{ text: text_, severity: kind === "data" || extension === "txt" ? "medium" : "high" }];
    },
  },
]);

/** Numbers of bytes: an address has twelve and more. */
const NUMBERS = /(?:\b(?:0x[0-9a-f]{2}|\d{1,3})\s*,\s*){11}/i;
const LISTS = /(?:\b(?:0x[0-9a-f]{2}|\d{1,3})\s*,\s*){11,2000}(?:0x[0-9a-f]{2}|\d{1,3})\b/gi;
const MAX_LISTS = 40;
const HIDDEN = /^.{0,40}(?:(?:https?|wss?):\/\/|\b(?:curl|wget|powershell|bash -c|sh -c|import os|child_process)\b)/s;

/** Whether a list of numbers is an address or a command, also with each changed by the same number. */
function hidesAddress(text: string): boolean {
  const lists = text.slice(0, 200_000).match(LISTS)?.slice(0, MAX_LISTS) ?? [];
  return lists.some((list) => {
    const bytes = Uint8Array.from(list.split(","), Number).subarray(0, 120);
    const isText = (change: (byte: number) => number) => HIDDEN.test(Buffer.from(bytes.map(change)).toString("latin1"));
    if (isText((byte) => byte)) return true;
    const [first = 0] = bytes;
    // The changes that make the first number an `h`.
    const [xor, sum] = [first ^ 104, first - 104];
    return isText((byte) => byte ^ xor) || isText((byte) => byte - sum);
  });
}

function encodedHit({ run, source }: { run: string; source: number }): Hit {
  return { start: source, end: source + run.length, text: `${run.length} characters: ${run}` };
}

function isEncoded(run: string): boolean {
  if (run.length <= 160 || /^[0-9a-fA-F]+$/.test(run)) return false;
  return (
    /[A-Z]/.test(run) &&
    /[a-z]/.test(run) &&
    /[0-9+]/.test(run) &&
    new Set(run.slice(0, 400)).size >= 20 &&
    !/\/[a-z]{3,}\/[a-z]{3,}\//.test(run)
  );
}

/** Embedded images and fonts, armoured keys and signatures, package digests. */
function isEmbedded(text: string, source: number): boolean {
  const before = text.slice(Math.max(0, source - 120), source);
  return /data:(?:image|font|audio|video|application\/(?:font|pdf|octet|x-font|vnd))[^\s"']*$|-----BEGIN [A-Z ]+-----\s*$|sha(?:256|384|512)-$|ssh-(?:rsa|ed25519) $/i.test(
    before,
  );
}

function inspectFile(file: ScanFile, files: ScanFile[]): Hit[] {
  const { name, extension, mode, kind, bytes } = file;
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
  const what = identifyBytes(bytes);
  if (what?.kind === "program")
    return [{ text: `${what.label} in ${name}`, ...(isDisguised(file, files) && { severity: "critical" as const }) }];
  if (extension === "pyc" || what?.kind === "bytecode") {
    // Bytecode next to its source is a cache; without the source it is the program.
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

/** Endings of data files. Programs may end in `.bin`, too. */
const DATA_ENDINGS =
  /^(?:dat|data|db|sqlite3?|png|jpe?g|gif|ico|webp|svg|css|ttf|otf|woff2?|txt|md|json|ya?ml|csv|xml|pdf|cache|idx|pak|map|lock|log|tmp|onnx|pkl|npy|mp3|wav|pal|lut|icc)$/;
const RENAMES = /\bcopy\w*\(|\brename\w*\(|\bmove\(|\breplace\(|\b(?:cp|mv|install|ln|Copy-Item|Move-Item)\s/i;
const MAKES_PROGRAM =
  /\bchmod\w*\W[^\n]{0,120}(?:0?o?7[0-7]{2}\b|\+x\b|S_IX|S_IEXEC)|\binstall\s+-\w*m\s*0?7|\brundll32\b/;
const STARTS =
  /\bPopen\(|\bsubprocess\.|\bos\.(?:exec|spawn|system|startfile)|\bspawn\w*\(|\bexec\w*\(|^[ \t]{0,40}["']?[$~./]|&&\s?["']?[$~./]|\bnohup\b|\bsetsid\b/m;

/** A program with the name of a data file, which a script makes executable and starts. */
function isDisguised({ name, extension }: ScanFile, files: readonly ScanFile[]): boolean {
  const isData = DATA_ENDINGS.test(extension);
  if (!isData && extension !== "bin") return false;
  return files.some(
    (file) =>
      file.kind === "script" &&
      file.text.toLowerCase().includes(name) &&
      has(file, MAKES_PROGRAM) &&
      has(file, STARTS) &&
      (isData || has(file, RENAMES)),
  );
}

function isDocument(extension: string): boolean {
  return /^(?:docx|xlsx|pptx|dotx|potx|odt|ods|odp|epub|jar|whl|xpi|crx|vsix|skill|mcpb)$/.test(extension);
}

function isLockedZip(bytes: Uint8Array): boolean {
  return bytes.length > 8 && ((bytes[6] ?? 0) & 1) === 1;
}

/** As what the text in a binary file is read. Programs have many words, archives none, and data no orders. */
export function textKindsOf({ kind, bytes }: ScanFile): FileKind[] {
  const what = kind === "binary" ? identifyBytes(bytes) : undefined;
  if (what === undefined || (what !== null && what.kind !== "media")) return [];
  return what === null || /\bdata/.test(what.label) ? ["script"] : ["prose", "script"];
}

function identifyBytes(bytes: Uint8Array): Identified | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  for (const [signature, kind, label, extensions] of SIGNATURES) {
    if (!startsWith(head, signature)) continue;
    // Text may begin with "MZ"; Windows programs have a longer header.
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
