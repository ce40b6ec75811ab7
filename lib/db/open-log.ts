import fs from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** What has been committed to a database in WAL mode, as a file that can be brought to the disk. */
export type CommitLog = {
  /** Resolves once everything that was committed before the call is on the disk; rejects when the disk fails. */
  keep(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the log of a SQLite file, which exists as long as the file is open in WAL mode, whatever checkpoints do to its
 * contents (https://sqlite.org/wal.html). With `synchronous = NORMAL` SQLite leaves the log to the system at a commit, and
 * itself brings it to the disk before a checkpoint copies from it. `keep` is what `FULL` does besides, at each commit: but
 * beside the thread that serves everybody.
 */
export async function openLog(file: string): Promise<CommitLog> {
  const log = await open(`${file}-wal`, "r+");
  // That the log is there must outlive a loss of power as well.
  const folder = await open(dirname(file), "r");
  await folder.sync().finally(() => folder.close());
  const keep = () =>
    new Promise<void>((resolve, reject) => {
      // The way with a callback costs the thread that serves everybody less than the handle's own.
      fs.fdatasync(log.fd, (error) => (error ? reject(error) : resolve()));
    });
  return { keep, close: () => log.close() };
}
