import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "./errors";

const KEEP_MS = 200;
let last: { folder: string; at: number; free: number | null } | null = null;

/** Free bytes for unprivileged programs below a folder, which need not exist; null if unknown. */
export function freeSpace(folder: string): number | null {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Whether fewer than `minimum` bytes are free; false when unknown, or when `minimum` is 0. */
export function isSpaceShort(folder: string, minimum: number): boolean {
  return minimum > 0 && (cachedFreeSpace(folder) ?? minimum) < minimum;
}

/**
 * Throws `storage_full` while fewer than `minimum` bytes are free; the rest is for runs under way, the audit log and the
 * database log. Checks at most five times a second. A minimum of 0 disables it.
 */
export function requireSpace(folder: string, minimum: number): void {
  if (!isSpaceShort(folder, minimum)) return;
  throw new AppError(
    "storage_full",
    `The disk of the data directory is almost full: ${mebibytes(cachedFreeSpace(folder) ?? 0)} are free, and the server stops writing below ${mebibytes(minimum)}. Reads still work; writes resume once there is space.`,
    { retryAfterSeconds: 30 },
  );
}

function cachedFreeSpace(folder: string): number | null {
  const at = performance.now();
  if (last === null || last.folder !== folder || at - last.at > KEEP_MS) last = { folder, at, free: freeSpace(folder) };
  return last.free;
}

const FULL = /SQLITE_FULL|disk is full|ENOSPC|no space left/i;
/** SQLite's error when a file could not grow. */
const IO_FAILED = /SQLITE_IOERR|disk I\/O error/i;
const NOTHING_LEFT = 1024 * 1024;

/** Whether this error, or one of its causes, means that the disk of `folder` is full. */
export function isStorageFull(thrown: unknown, folder: string): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const text = `${"code" in error ? String(error.code) : ""} ${error.message}`;
    if (FULL.test(text)) return true;
    if (IO_FAILED.test(text) && (freeSpace(folder) ?? Number.POSITIVE_INFINITY) < NOTHING_LEFT) return true;
  }
  return false;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MiB`;
}
