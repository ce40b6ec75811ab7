import { AppError } from "@/lib/core/errors";
import { safePath } from "./safe-path";
import type { SkillFile } from "./skill-file";

export type FoundEntry = { entry: string | null; problem: { code: string; message: string } | null };

/**
 * The executable that `entry` names: a relative path inside the skill's folder (a leading `./` is dropped) to a file of
 * mode 755. An absolute path means the file whose path is the longest end of it: a worker that takes a folder from an
 * operator's directory puts an entry from elsewhere in that directory among its files. Otherwise `problem` says why it
 * cannot run; `entry` is then null unless there is such a file.
 */
export function findEntry(raw: string, files: SkillFile[]): FoundEntry {
  const given = raw.trim();
  const path = given.startsWith("/") ? longestEnd(given, files) : insidePath(given.replace(/^(\.\/+)+/, ""));
  if (path === null) {
    return refuse("entry_outside", `The entry "${raw}" is not a plain path inside the skill's folder.`);
  }
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) {
    return files.some((candidate) => candidate.path.startsWith(`${path}/`))
      ? refuse("entry_is_directory", `The entry "${path}" is a folder.`)
      : refuse("entry_missing", `The entry "${path}" is not among the skill's files.`);
  }
  if (file.mode === "755") return { entry: path, problem: null };
  return {
    entry: path,
    problem: {
      code: "entry_not_executable",
      message: `The entry "${path}" has no executable bit (mode ${file.mode}).`,
    },
  };
}

function refuse(code: string, message: string): FoundEntry {
  return { entry: null, problem: { code, message } };
}

function longestEnd(path: string, files: SkillFile[]): string | null {
  const paths = new Set(files.map((file) => file.path));
  const segments = path.split("/").slice(1);
  return segments.map((_, index) => segments.slice(index).join("/")).find((end) => paths.has(end)) ?? null;
}

function insidePath(path: string): string | null {
  try {
    return safePath(path.replace(/\/+$/, ""));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
