import { join } from "node:path";
import Sqlite from "better-sqlite3";

/** Name of the lock's file in the data directory. */
export const LOCK_FILE = "instance.lock";

/**
 * Takes a data directory that is there, or throws when a process has it; `close` of what it answers gives it back. The lock
 * is SQLite's own on a file of its own: the system releases it when the process ends, however it ends, so there is never a
 * stale one.
 */
export function lockDataDirectory(dataDir: string): { close(): void } {
  const lock = new Sqlite(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    if (!(cause instanceof Sqlite.SqliteError) || !cause.code.startsWith("SQLITE_BUSY")) throw cause;
    throw new Error(
      `Another Skillgate already runs on ${dataDir}. Stop it, or set SKILLGATE_DATA to another directory.`,
      { cause },
    );
  }
}
