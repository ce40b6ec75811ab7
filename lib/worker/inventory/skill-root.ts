import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";

/** A directory that skills are taken from. */
export type SkillRoot = {
  kind: "builtin" | "directory";
  /** As the operator wrote it, for people. */
  path: string;
  /** Without symbolic links, for comparisons. */
  real: string;
};

/** The directory, or why it is skipped, as one sentence. */
export async function openRoot(kind: SkillRoot["kind"], path: string): Promise<SkillRoot | string> {
  if (!isAbsolute(path)) return `skipping ${path}: not an absolute path`;
  try {
    if (!(await stat(path)).isDirectory()) return `skipping ${path}: not a directory`;
    return { kind, path: resolve(path), real: await realpath(path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? `skipping ${path}: it does not exist` : `skipping ${path}: ${code ?? message}`;
  }
}

/** Whether a path without symbolic links is the root or lies below it. */
export function isInside({ real }: Pick<SkillRoot, "real">, path: string): boolean {
  return path === real || path.startsWith(real.endsWith(sep) ? real : `${real}${sep}`);
}
