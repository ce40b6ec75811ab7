import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { BuiltinError, type BuiltinIo } from "./builtin";
import { fileProblem, isInside } from "./host-path";

type WorkspacePath = {
  path: string;
  /** As shown to people and agents: relative to the workspace; `.` for itself. */
  name: string;
};

/** A path in the session's workspace, which need not exist. Throws BuiltinError outside it, also through links. */
export function workspacePath({ workspace }: Pick<BuiltinIo, "workspace">, given: string): WorkspacePath {
  const root = rootOf(workspace);
  const inside = given.replace(/^\/workspace(?=\/|$)/, root);
  const wanted = resolve(root, inside);
  if (given.includes("\0") || !isInside(wanted, root)) throw outside(given);
  const path = resolveExisting(wanted, given);
  if (!isInside(path, root)) throw outside(given);
  return { path, name: relative(root, path) || "." };
}

function rootOf(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch (cause) {
    throw new BuiltinError("This run has no workspace.", { cause });
  }
}

/** Follows links of the existing part; a broken link is not a name for a new file. */
function resolveExisting(path: string, given: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT")
      throw new BuiltinError(`${given} ${fileProblem(cause)}.`, { cause });
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw outside(given);
    return join(resolveExisting(dirname(path), given), basename(path));
  }
}

function outside(given: string): BuiltinError {
  return new BuiltinError(`${JSON.stringify(given)} is outside the workspace.`);
}

const MAX_BYTES = 5 * 1024 * 1024;

/** Throws BuiltinError unless it is a text file of at most 5 MiB. */
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
