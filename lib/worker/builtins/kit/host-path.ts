import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute, normalize } from "node:path";
import { BuiltinError, type BuiltinIo } from "./builtin";

/** A path of the host with links resolved. Throws BuiltinError, also outside the granted directories without a sandbox. */
export function hostPath({ roots }: Pick<BuiltinIo, "roots">, given: string): string {
  if (!isAbsolute(given) || given.includes("\0"))
    throw new BuiltinError(`${JSON.stringify(given)} is not an absolute path.`);
  const path = resolveLinks(normalize(given));
  if (roots === null || roots.some((root) => isInside(path, root))) return path;
  throw new BuiltinError(`${given} is outside what this built-in may read: ${roots.join(", ")}.`);
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new BuiltinError(`${path} ${fileProblem(cause)}.`, { cause });
  }
}

export function fileProblem(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
  const known: Record<string, string> = {
    ENOENT: "does not exist, or is not open to this run",
    ENOTDIR: "is below a path that is not a directory",
    EISDIR: "is a directory",
    EACCES: "may not be read by the user of this run",
    EPERM: "may not be read by the user of this run",
    ELOOP: "is a loop of symbolic links",
    ENOSPC: "does not fit: no space is left",
    EROFS: "is on a file system that is read-only",
  };
  return known[code] ?? `cannot be used (${code})`;
}

/** The id that the kernel shows for ids outside of a user namespace (/proc/sys/kernel/overflowuid). */
const UNMAPPED = 65_534;

export function shownId(id: number): number | null {
  return id === UNMAPPED ? null : id;
}

export function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
