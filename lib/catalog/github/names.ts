/**
 * The only shapes that go into addresses we call. Owners: letters, digits, `-` and `_` (managed users). Repositories: also
 * dots, but not only dots. Refs: what git itself allows. Folders: plain segments.
 */
export function isOwner(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

export function isRepository(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,100}$/.test(text) && !/^\.+$/.test(text);
}

export function isGitSha(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** The rules of `git check-ref-format`, for the part after `refs/heads/`; shas pass too. */
export function isRef(text: string): boolean {
  return (
    text.length <= 200 &&
    text !== "" &&
    !HIDDEN_OR_SPECIAL.test(text) &&
    !/\.\.|@\{|\/\//.test(text) &&
    !/^[-/]|[/.]$/.test(text) &&
    text.split("/").every((segment) => !segment.startsWith(".") && !segment.endsWith(".lock"))
  );
}

/** A path inside a repository: no empty, `.`, `..` or `.git` segment, no backslash, nothing that cannot be seen. */
export function isRepositoryPath(text: string): boolean {
  return (
    text.length <= 1_000 &&
    !HIDDEN.test(text) &&
    !text.includes("\\") &&
    text.split("/").every((segment) => !/^(\.{0,2}|\.git)$/i.test(segment))
  );
}

const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const HIDDEN_OR_SPECIAL = /[\p{Cc}\p{Cs}\p{Bidi_Control} ~^:?*[\\]/u;
