import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * One hash over the names and contents of files and folders below `root`. Entries that do not exist count as absent, and
 * hidden files never count. Contents and not times: a fresh checkout of the same sources is not stale.
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
