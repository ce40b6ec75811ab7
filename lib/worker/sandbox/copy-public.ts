import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Copies a file or a directory with all in it that everybody may read, and leaves out the rest. Links stay links, wherever
 * they lead. Nobody but the owner may write to the copies, whatever the umask is.
 */
export function copyPublic(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
  } else if (stats.isDirectory() && (stats.mode & 0o005) === 0o005) {
    mkdirSync(to);
    chmodSync(to, 0o755);
    for (const name of readdirSync(from)) copyPublic(join(from, name), join(to, name));
  } else if (stats.isFile() && (stats.mode & 0o004) !== 0) {
    copyFileSync(from, to);
    chmodSync(to, stats.mode & 0o555);
  }
}
