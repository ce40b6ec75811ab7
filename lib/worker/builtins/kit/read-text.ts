import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { BuiltinError } from "./builtin";
import { fileProblem } from "./host-path";

const MAX_BYTES = 5 * 1024 * 1024;

/** Throws BuiltinError for what is no text file of at most 5 MiB. */
export function readText(path: string, name: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new BuiltinError(`${name} is no file.`);
    if (stats.size > MAX_BYTES) throw new BuiltinError(`${name} is larger than 5 MiB.`);
    const bytes = Buffer.alloc(stats.size);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, read));
  } catch (cause) {
    if (cause instanceof BuiltinError) throw cause;
    if (cause instanceof TypeError) throw new BuiltinError(`${name} is not UTF-8 text.`, { cause });
    throw new BuiltinError(`${name} ${fileProblem(cause)}.`, { cause });
  } finally {
    if (file !== null) closeSync(file);
  }
}
