import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A stamp records the inputs of a finished step. Remove it before the step and write it after, so that an interrupted
 * step has none.
 */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // A missing or truncated stamp proves nothing.
    return null;
  }
}

export function removeStamp(file) {
  rmSync(file, { force: true });
}

export function writeStamp(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`);
  renameSync(draft, file);
}

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
