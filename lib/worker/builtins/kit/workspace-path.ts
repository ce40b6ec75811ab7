import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { BuiltinError, type BuiltinIo } from "./builtin";
import { fileProblem, isInside } from "./host-path";

export type WorkspacePath = {
  /** Without symbolic links on the way. */
  path: string;
  /** As people and agents see it, relative to the workspace; `.` for itself. */
  name: string;
};

/**
 * A path in the session's workspace, relative to it or below `/workspace`; the last parts need not exist. Throws
 * BuiltinError for whatever is outside, also through `..` or a symbolic link.
 */
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

/** Links of the part that exists are followed; a link that leads nowhere is not a new file's name. */
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
