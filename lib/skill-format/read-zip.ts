import type { ArchiveBudget } from "./archive-budget";
import type { ArchiveEntry } from "./archive-entry";
import { fileMode } from "./file-mode";
import { inflateZipEntry } from "./inflate-zip-entry";
import { isJunk } from "./is-junk";
import { decodeText } from "./is-text";
import { locateZipData } from "./locate-zip-data";
import { readZipDirectory, type ZipRecord } from "./read-zip-directory";
import { quotePath, rejectArchive } from "./reject-archive";
import { safePath } from "./safe-path";

const MAX_TARGET_BYTES = 1_024;

/**
 * Reads a ZIP (PKWARE APPNOTE.TXT 6.3.10) through its central directory. Declared sizes are counted before anything is
 * inflated. Throws `archive_rejected` or `too_large`; nothing is returned in part.
 */
export async function readZip(bytes: Uint8Array, budget: ArchiveBudget): Promise<ArchiveEntry[]> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { records, directoryOffset } = readZipDirectory(zip);
  const data = locateZipData(zip, records, directoryOffset);
  const plans = records.map((record, index) => planEntry(record, data[index] ?? Buffer.alloc(0), budget));
  const entries: ArchiveEntry[] = [];
  for (const plan of plans) entries.push(await readEntry(plan));
  return entries;
}

type Kind = "file" | "link" | "submodule" | "folder" | "junk";
type Plan = { kind: Kind; path: string; record: ZipRecord; packed: Buffer };

function planEntry(record: ZipRecord, packed: Buffer, budget: ArchiveBudget): Plan {
  budget.addEntry();
  const isFolder = record.name.endsWith("/");
  const path = safePath(isFolder ? record.name.slice(0, -1) : record.name);
  const kind: Kind = isJunk(path) ? "junk" : entryKind(record, isFolder);
  if (kind === "file") budget.addFile(path, record.size);
  if (kind === "folder" && record.size !== 0) rejectArchive(`The folder ${quotePath(path)} has content.`);
  return { kind, path, record, packed };
}

const DOS_FOLDER = 0x10;

function entryKind(record: ZipRecord, isFolder: boolean): Kind {
  const shown = quotePath(record.name);
  const type = (record.externalAttributes >>> 16) & 0o170000;
  if (type === 0o120000 && !isFolder) return "link";
  // What git calls a submodule has no content of its own; some archivers keep its mode.
  if (type === 0o160000) return "submodule";
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) {
    rejectArchive(`${shown} is a device, a pipe or another special file; only plain files and folders are accepted.`);
  }
  const saysFolder = type === 0o040000 || (type === 0 && (record.externalAttributes & DOS_FOLDER) !== 0);
  if (saysFolder !== isFolder && (saysFolder || type === 0o100000)) {
    rejectArchive(`${shown} is a folder by one sign and a file by another.`);
  }
  return isFolder ? "folder" : "file";
}

async function readEntry({ kind, path, record, packed }: Plan): Promise<ArchiveEntry> {
  if (kind === "junk") return { kind, path };
  if (kind === "submodule")
    return refuse("submodule_left_out", path, "A submodule has no files here: it was left out.");
  if (kind === "link" && record.size > MAX_TARGET_BYTES) {
    return refuse("link_refused", path, `The link was left out: its target has more than ${MAX_TARGET_BYTES} bytes.`);
  }
  const bytes = await inflateZipEntry(record, packed);
  if (kind === "folder") return { kind, path };
  if (kind === "link") {
    const target = decodeText(bytes);
    if (target === null) return refuse("link_refused", path, "The link was left out: its target is not UTF-8.");
    return { kind, path, target, from: "folder" };
  }
  return { kind, path, mode: fileMode(path, record.externalAttributes >>> 16), bytes };
}

type Refused = Extract<ArchiveEntry, { kind: "refused" }>;

function refuse(code: Refused["code"], path: string, message: string): Refused {
  return { kind: "refused", code, path, message };
}
