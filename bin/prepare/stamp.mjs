import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A stamp says what a finished step was made from. Remove it before the step and write it after: an interrupted step has none. */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Absent or cut short: either way there is no proof that the step was finished.
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
