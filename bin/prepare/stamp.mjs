import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
