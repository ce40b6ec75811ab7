import type { Published } from "../published";

// What HFS+ ignores in names.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const READ_BY_GIT = /^(?:\.git(?:modules)?|git~\d+|gi7eba~\d+)[ .]*(?::.*)?$/i;

/**
 * Whether a skill can lie in a repository that every client checks out. Git refuses a whole clone in which one path looks
 * like its own files on any file system, so such a skill is left out.
 */
export function fitsGit({ files }: Pick<Published, "files">): boolean {
  return files.every(({ path }) =>
    path.split(/[/\\]/).every((part) => !READ_BY_GIT.test(part.replaceAll(IGNORED, ""))),
  );
}
