import { AppError } from "@/lib/core/errors";
import { assertUniquePaths, safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import type { FileInput } from "./schema";

/** Decodes files sent as JSON, with the path and size limits of archives. */
export function filesFromInput(inputs: FileInput[]): SkillFile[] {
  const files = inputs.map(({ path, text, base64, mode }) => ({
    path,
    mode: mode ?? ("644" as const),
    bytes: sentBytes(text, base64),
  }));
  return acceptableFiles(files);
}

/** Decodes a text or base64 value. */
export function sentBytes(text: string | undefined, base64: string | undefined): Uint8Array {
  return text === undefined ? new Uint8Array(Buffer.from(base64 ?? "", "base64")) : new TextEncoder().encode(text);
}

/** Checks paths (`archive_rejected`) and sizes (`too_large`). */
export function acceptableFiles(given: SkillFile[]): SkillFile[] {
  const files = given.map((file) => ({ ...file, path: safePath(file.path) }));
  assertUniquePaths(files.map((file) => file.path));
  const large = files.find((file) => file.bytes.byteLength > MAX_FILE_BYTES);
  if (large)
    throw new AppError(
      "too_large",
      `${large.path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB, the limit for a file.`,
    );
  const total = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (total > MAX_UNPACKED_BYTES)
    throw new AppError("too_large", `The files have ${total} bytes; the limit is ${MAX_UNPACKED_BYTES}.`);
  return files;
}
