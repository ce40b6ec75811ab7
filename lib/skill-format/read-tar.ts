import { extract, type Header } from "tar-stream";
import { AppError } from "@/lib/core/errors";
import type { ArchiveBudget } from "./archive-budget";
import type { ArchiveEntry } from "./archive-entry";
import { fileMode } from "./file-mode";
import { gunzipTar } from "./gunzip-tar";
import { isJunk } from "./is-junk";
import { quotePath, rejectArchive } from "./reject-archive";
import { safePath } from "./safe-path";

const BLOCK_BYTES = 512;

/**
 * Reads a gzipped tar (POSIX pax and ustar, and GNU long names). A leading `./`, which tar itself writes for `tar -c .`, is
 * the only part of a name that is dropped. Throws `archive_rejected` or `too_large`; nothing is returned in part.
 */
export async function readTar(bytes: Uint8Array, budget: ArchiveBudget): Promise<ArchiveEntry[]> {
  const tar = await gunzipTar(bytes);
  try {
    return await readEntries(tar, budget);
  } catch (error) {
    if (error instanceof AppError) throw error;
    rejectArchive("The tar archive is damaged or cut off.", error);
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
  // Some readers stop at the first empty block, others read on: only zeros may follow the last entry.
  const rest = tar.subarray(end);
  if (rest.length < 2 * BLOCK_BYTES) rejectArchive("The tar archive is cut off: its end mark is missing.");
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
  if (!hasContent && header.size !== 0) rejectArchive(`${shown} has content but is no regular file.`);
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
        `${quotePath(path)} is a device, a pipe or another special file; only plain files and folders are accepted.`,
      );
  }
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

/** tar-stream reads pax records (POSIX pax, "Extended Header Keywords") as texts, which its types leave open. */
function paxOf(header: Header): Record<string, string> | null {
  return (header.pax ?? null) as Record<string, string> | null;
}

/** The stream's chunks are buffers; its iterator is typed as `any`. */
function toBytes(chunk: unknown): Uint8Array {
  return chunk as Uint8Array;
}
