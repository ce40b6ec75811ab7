import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { processStore } from "@/lib/core/process-store";

/**
 * Takes the data directory for this process, or throws when another process has it. The lock is SQLite's own on a file
 * of its own: the system releases it when the process ends, however it ends, so there is never a stale one.
 */
export function lockDataDirectory(dataDir: string): void {
  processStore("data-lock", () => {
    const lock = new Sqlite(join(dataDir, "instance.lock"), { timeout: 0 });
    try {
      lock.pragma("locking_mode = EXCLUSIVE");
      lock.exec("BEGIN EXCLUSIVE");
      return lock;
    } catch (cause) {
      lock.close();
      throw new Error(
        `Another Skillgate already runs on ${dataDir}. Stop it, or set SKILLGATE_DATA to another directory.`,
        { cause },
      );
    }
  });
}
