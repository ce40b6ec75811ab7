import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";

export const LOCK_FILE = "instance.lock";

const PAUSE_MS = 250;

/** Another process holds the lock of the data directory; it may be about to end. */
export class DataDirectoryInUse extends Error {}

/**
 * Locks an existing data directory; `close` releases it. Throws `DataDirectoryInUse` while another process holds it. It
 * is an SQLite lock, which the system releases when the process ends, so it is never stale.
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

/** Like `lockDataDirectory`, but waits up to `patienceMs` for a former process to end. */
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
