import { type Gunzip, gunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { AppError } from "@/lib/core/errors";
import type { Diagnostic } from "@/lib/skill-format/schema";
import {
  type ArchiveBudget,
  type ArchiveEntry,
  assertUniquePaths,
  createArchiveBudget,
  fileMode,
  isJunk,
  quotePath,
  rejectArchive,
  safePath,
} from "./archive-entry";
import { MAX_ARCHIVE_ENTRIES, MAX_PACKED_BYTES, MAX_RATIO, MAX_UNPACKED_BYTES, RATIO_FLOOR_BYTES } from "./limits";
import { readZip } from "./read-zip";
import { resolveLinks } from "./resolve-links";
import type { SkillFile } from "./skill-file";
import { isSkillMarker } from "./split-skills";

// An entry has at most a header, a pax header with content, and padding.
const MAX_TAR_BYTES = MAX_UNPACKED_BYTES + MAX_ARCHIVE_ENTRIES * 2_048;

type Gunzipped = { buffer: Buffer; engine: Gunzip };

const BLOCK_BYTES = 512;

const MAX_REPORTED = 100;

/**
 * Reads an upload: `.zip` or `.skill` (ZIP), `.tar.gz` or `.tgz`, or a bare `.md`, which becomes `SKILL.md`. The
 * content must match the file name. At most 20 MiB packed, 50 MiB unpacked, 5,000 files of 5 MiB each. Throws
 * `unsupported_type`, `too_large` or `archive_rejected`; never returns a part.
 */
export async function readArchive(input: {
  bytes: Uint8Array;
  filename: string;
}): Promise<{ files: SkillFile[]; diagnostics: Diagnostic[] }> {
  const { bytes, filename } = input;
  if (bytes.length > MAX_PACKED_BYTES) {
    throw new AppError("too_large", `The file is larger than ${MAX_PACKED_BYTES} bytes.`);
  }
  const budget = createArchiveBudget();
  switch (findType(bytes, filename)) {
    case "zip":
      return collectFiles(await readZip(bytes, budget), budget);
    case "tar.gz":
      return collectFiles(await readTar(bytes, budget), budget);
    case "markdown":
      return collectFiles([{ kind: "file", path: "SKILL.md", mode: "644", bytes: countedCopy(bytes, budget) }], budget);
  }
}

type ArchiveType = "zip" | "tar.gz" | "markdown";

function findType(bytes: Uint8Array, filename: string): ArchiveType {
  const named = typeOfName(filename.toLowerCase());
  if (named === null) {
    throw new AppError("unsupported_type", "Only .zip, .skill, .tar.gz, .tgz and .md files can be imported.");
  }
  if (typeOfContent(bytes) !== named) {
    throw new AppError("unsupported_type", `The content of the file does not match its name (${named}).`);
  }
  return named;
}

function typeOfName(name: string): ArchiveType | null {
  if (name.endsWith(".zip") || name.endsWith(".skill")) return "zip";
  if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) return "tar.gz";
  return name.endsWith(".md") ? "markdown" : null;
}

function typeOfContent(bytes: Uint8Array): ArchiveType {
  const [a, b, c, d] = bytes;
  // A ZIP begins with a local header, an empty one with the end record.
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return "zip";
  return a === 0x1f && b === 0x8b ? "tar.gz" : "markdown";
}

function countedCopy(bytes: Uint8Array, budget: ReturnType<typeof createArchiveBudget>): Uint8Array {
  budget.addFile("SKILL.md", bytes.length);
  return new Uint8Array(bytes);
}

/**
 * Turns entries into files with unique paths. Links become copies. Ignored entries share one diagnostic; each refused
 * link or submodule has its own, up to a limit. Left-out skill markers are always reported.
 */
function collectFiles(
  entries: ArchiveEntry[],
  budget: ArchiveBudget,
): { files: SkillFile[]; diagnostics: Diagnostic[] } {
  const plain = entries.filter((entry) => entry.kind === "file");
  const links = entries.filter((entry) => entry.kind === "link");
  const refused = entries.filter((entry) => entry.kind === "refused");
  const folders = entries.filter((entry) => entry.kind === "folder").map((entry) => entry.path);
  const junk = entries.filter((entry) => entry.kind === "junk");
  assertUniquePaths(
    [...plain, ...links, ...refused].map((entry) => entry.path),
    folders,
  );
  const resolved = resolveLinks(links, plain, budget);
  const files = [...plain.map(({ path, mode, bytes }) => ({ path, mode, bytes })), ...resolved.files];
  const notRead = [...refused.map(describeRefused), ...resolved.diagnostics];
  const isMarker = ({ path }: { path?: string }) => path !== undefined && isSkillMarker(path);
  const leftOut = notRead.filter((note) => !isMarker(note));
  const markers = [...notRead.filter(isMarker), ...junk.filter(isMarker).map(describeJunkMarker)];
  const more = leftOut.length - MAX_REPORTED;
  if (more > 0) {
    const message = `${more} more links were left out.`;
    leftOut.splice(MAX_REPORTED, more, { code: "link_refused", severity: "warning", message });
  }
  return {
    files,
    diagnostics: [...(junk.length === 0 ? [] : [describeJunk(junk.map(({ path }) => path))]), ...leftOut, ...markers],
  };
}

function describeRefused({ code, path, message }: Extract<ArchiveEntry, { kind: "refused" }>): Diagnostic {
  return { code, severity: "warning", path, message };
}

function describeJunkMarker({ path }: { path: string }): Diagnostic {
  const message =
    "The file is in a folder made by an operating system, an archiver or git, and is not read as a skill.";
  return { code: "marker_left_out", severity: "info", path, message };
}

function describeJunk(paths: string[]): Diagnostic {
  const shown = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return { code: "junk_left_out", severity: "info", message: `Left out: ${shown}${more}.` };
}

/**
 * Reads a gzipped tar (POSIX pax and ustar, and GNU long names). Removes only a leading `./`, which `tar -c .` writes.
 * Throws `archive_rejected` or `too_large`; never returns a part.
 */
async function readTar(bytes: Uint8Array, budget: ArchiveBudget): Promise<ArchiveEntry[]> {
  const tar = await gunzipTar(bytes);
  try {
    return await readEntries(tar, budget);
  } catch (error) {
    if (error instanceof AppError) throw error;
    rejectArchive("The tar archive is damaged or incomplete.", error);
  }
}

async function readEntries(tar: Buffer, budget: ArchiveBudget): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  const source = extract();
  source.end(tar);
  let end = 0;
  for await (const stream of source) {
    const { header, offset } = stream;
    assertHeader(header, tar, end);
    const chunks: Uint8Array[] = [];
    const entry = planEntry(header, budget);
    for await (const chunk of stream) chunks.push(toBytes(chunk));
    if (entry?.kind === "file") entries.push({ ...entry, bytes: new Uint8Array(Buffer.concat(chunks)) });
    else if (entry !== null) entries.push(entry);
    end = offset + BLOCK_BYTES + Math.ceil(header.size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  // Readers differ at the first empty block, so only zeros may follow the last entry.
  const rest = tar.subarray(end);
  if (rest.length < 2 * BLOCK_BYTES) rejectArchive("The tar archive is incomplete: its end mark is missing.");
  if (rest.some((byte) => byte !== 0)) rejectArchive("The tar archive has data after its end mark.");
  return entries;
}

function assertHeader(header: Header, tar: Buffer, previousEnd: number): void {
  const shown = quotePath(header.name);
  if (isZero(tar.subarray(previousEnd, previousEnd + BLOCK_BYTES))) {
    rejectArchive(`The tar archive has ${shown} after its end mark.`);
  }
  const pax = paxOf(header);
  if (!Number.isSafeInteger(header.size) || (pax?.size !== undefined && !/^\d+$/.test(pax.size))) {
    rejectArchive(`The size of ${shown} is not a number.`);
  }
  if (pax !== null && Object.keys(pax).some((key) => key.startsWith("GNU.sparse"))) {
    rejectArchive(`${shown} is a sparse file, which is not supported.`);
  }
  const hasContent = header.type === "file" || header.type === "contiguous-file";
  if (!hasContent && header.size !== 0) rejectArchive(`${shown} has content but is not a regular file.`);
}

function planEntry(header: Header, budget: ArchiveBudget): ArchiveEntry | null {
  budget.addEntry();
  const name = header.name.replace(/^\.\//, "");
  if (header.type === "directory" && (name === "" || name === ".")) return null;
  const isFolder = header.type === "directory";
  const path = safePath(isFolder && name.endsWith("/") ? name.slice(0, -1) : name);
  if (isJunk(path)) return { kind: "junk", path };
  switch (header.type) {
    case "directory":
      return { kind: "folder", path };
    case "symlink":
      return { kind: "link", path, target: header.linkname ?? "", from: "folder" };
    case "link":
      return { kind: "link", path, target: header.linkname ?? "", from: "root" };
    case "file":
    case "contiguous-file":
      budget.addFile(path, header.size);
      return { kind: "file", path, mode: fileMode(path, header.mode), bytes: new Uint8Array() };
    default:
      return rejectArchive(
        `${quotePath(path)} is a device, a pipe or another special file. Only regular files and folders are accepted.`,
      );
  }
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

/** tar-stream reads pax records (POSIX pax, "Extended Header Keywords") as strings; its types do not say so. */
function paxOf(header: Header): Record<string, string> | null {
  return (header.pax ?? null) as Record<string, string> | null;
}

function toBytes(chunk: unknown): Uint8Array {
  return chunk as Uint8Array;
}

/**
 * Unzips a gzip file (RFC 1952). Stops at 100 bytes per packed byte (but at least 512 KiB), and at the unpacked limit
 * plus headers. Throws `archive_rejected` or `too_large`.
 */
async function gunzipTar(bytes: Uint8Array): Promise<Buffer> {
  const ratioCap = Math.max(RATIO_FLOOR_BYTES, bytes.length * MAX_RATIO);
  const maxOutputLength = Math.min(MAX_TAR_BYTES, ratioCap);
  const { buffer, engine } = await new Promise<Gunzipped>((resolve, reject) => {
    gunzip(bytes, { maxOutputLength, info: true }, (error, value) =>
      error === null ? resolve(withInfo(value)) : reject(error),
    );
  }).catch((error: unknown) => {
    if (!isOverflow(error)) rejectArchive("The gzip data is damaged or incomplete.", error);
    if (ratioCap < MAX_TAR_BYTES)
      rejectArchive(`The archive is compressed more than ${MAX_RATIO}:1 and is refused as a possible zip bomb.`);
    throw new AppError("too_large", `The archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes.`);
  });
  if (engine.bytesWritten !== bytes.length) rejectArchive("The gzip file has bytes after the end of its data.");
  return buffer;
}

function withInfo(value: unknown): Gunzipped {
  return value as Gunzipped;
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
