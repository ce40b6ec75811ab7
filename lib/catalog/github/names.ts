/** Whether `text` may stand for an owner in a URL; `_` appears in names of managed users. */
export function isOwner(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

export function isRepository(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,100}$/.test(text) && !/^\.+$/.test(text);
}

export function isGitSha(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** The rules of `git check-ref-format` for the part after `refs/heads/`; accepts shas too. */
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

/** Accepts paths without empty, `.`, `..` or `.git` segments, backslashes and invisible characters. */
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
