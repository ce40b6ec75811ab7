import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Hash of names and contents of files and folders below `root`. Missing entries count as absent, hidden files are
 * ignored. Times do not count, so a fresh checkout is not stale.
 */
export function hashSources(root, entries, { skip = () => false } = {}) {
  const hash = createHash("sha256");
  for (const file of entries.flatMap((entry) => listFiles(root, entry, skip)).sort()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function listFiles(root, relative, skip) {
  if (skip(relative)) return [];
  const stat = statSync(path.join(root, relative), { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [relative];
  if (!stat.isDirectory()) return [];
  return readdirSync(path.join(root, relative))
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => listFiles(root, `${relative}/${name}`, skip));
}
