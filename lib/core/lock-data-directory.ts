import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";

/** Name of the lock's file in the data directory. */
export const LOCK_FILE = "instance.lock";

const PAUSE_MS = 250;

/** Another process holds the data directory; it may have ended a moment later. */
export class DataDirectoryInUse extends Error {}

/**
 * Takes a data directory that is there, or throws `DataDirectoryInUse` when a process has it; `close` of what it answers gives it back. The lock
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
    throw new DataDirectoryInUse(
      `Another Skillgate already runs on ${dataDir}. Stop it, or set SKILLGATE_DATA to another directory.`,
      { cause },
    );
  }
}

type Patience = { patienceMs: number; now?: () => number; pause?: (ms: number) => Promise<unknown> };

/**
 * The same for a start: waits up to `patienceMs` for a former process that is about to end, and then throws
 * `DataDirectoryInUse`.
 */
export async function acquireDataDirectory(
  dataDir: string,
  { patienceMs, now = () => performance.now(), pause = (ms) => delay(ms) }: Patience,
): Promise<{ close(): void }> {
  const until = now() + patienceMs;
  for (;;) {
    try {
      return lockDataDirectory(dataDir);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse) || now() >= until) throw error;
    }
    await pause(PAUSE_MS);
  }
}
