import { AppError } from "@/lib/core/errors";
import { createArchiveBudget } from "./archive-budget";
import { collectFiles } from "./collect-files";
import { MAX_PACKED_BYTES } from "./limits";
import { readTar } from "./read-tar";
import { readZip } from "./read-zip";
import type { Diagnostic } from "./schema";
import type { SkillFile } from "./skill-file";

/**
 * The files of an upload: `.zip` (or `.skill`, which is one), `.tar.gz` or `.tgz`, or a bare `.md` that becomes `SKILL.md`.
 * The content must be what the file name says. At most 20 MiB packed, 50 MiB unpacked, 5,000 files of 5 MiB each.
 * Throws AppError `unsupported_type`, `too_large` or `archive_rejected`; nothing is returned in part.
 */
export async function readArchive(input: {
  bytes: Uint8Array;
  filename: string;
}): Promise<{ files: SkillFile[]; diagnostics: Diagnostic[] }> {
  const { bytes, filename } = input;
  if (bytes.length > MAX_PACKED_BYTES) {
    throw new AppError("too_large", `The file is larger than ${MAX_PACKED_BYTES} bytes.`);
  }
  const budget = createArchiveBudget();
  switch (findType(bytes, filename)) {
    case "zip":
      return collectFiles(await readZip(bytes, budget), budget);
    case "tar.gz":
      return collectFiles(await readTar(bytes, budget), budget);
    case "markdown":
      return collectFiles([{ kind: "file", path: "SKILL.md", mode: "644", bytes: countedCopy(bytes, budget) }], budget);
  }
}

type ArchiveType = "zip" | "tar.gz" | "markdown";

function findType(bytes: Uint8Array, filename: string): ArchiveType {
  const named = typeOfName(filename.toLowerCase());
  if (named === null) {
    throw new AppError("unsupported_type", "Only .zip, .tar.gz, .tgz and .md files can be imported.");
  }
  if (typeOfContent(bytes) !== named) {
    throw new AppError("unsupported_type", `The content of the file is not what its name says (${named}).`);
  }
  return named;
}

function typeOfName(name: string): ArchiveType | null {
  if (name.endsWith(".zip") || name.endsWith(".skill")) return "zip";
  if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) return "tar.gz";
  return name.endsWith(".md") ? "markdown" : null;
}

function typeOfContent(bytes: Uint8Array): ArchiveType {
  const [a, b, c, d] = bytes;
  // A ZIP begins with a local header, or with the end record when it is empty.
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return "zip";
  return a === 0x1f && b === 0x8b ? "tar.gz" : "markdown";
}

function countedCopy(bytes: Uint8Array, budget: ReturnType<typeof createArchiveBudget>): Uint8Array {
  budget.addFile("SKILL.md", bytes.length);
  return new Uint8Array(bytes);
}
