import { AppError } from "@/lib/core/errors";

/** Throws `archive_rejected`. An archive is taken whole or not at all. */
export function rejectArchive(message: string, cause?: unknown): never {
  throw new AppError("archive_rejected", message, { cause });
}

/** A path for an error message: control and invisible characters are written as escapes, and long ones are cut. */
export function quotePath(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  const escaped = cut.replace(
    /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped}"`;
}
