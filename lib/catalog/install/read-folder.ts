import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry } from "@/lib/db/generated/client";
import {
  type ArchiveBudget,
  type ArchiveEntry,
  assertUniquePaths,
  createArchiveBudget,
  safePath,
} from "@/lib/skill-format/archive/archive-entry";
import { resolveLinks } from "@/lib/skill-format/archive/resolve-links";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { programsNamed, reportCompatibility } from "@/lib/skill-format/manifest/report-compatibility";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { warnMissingSteps } from "@/lib/skills/pipeline/plan-pipeline";
import { hostFacts } from "@/lib/skills/transfer/import-skills";
import type { ReadSkill } from "@/lib/skills/versions/store-version";
import type { VisibleSource } from "../browse/visible-catalog";
import { isLfsPointer } from "../github/git-blob";

import { type ReadOptions, readEntryFiles } from "../read-files";
import { CatalogFile } from "../schema";

export type EntryWithSource = { entry: CatalogEntry; source: VisibleSource };

/** A complete, checked skill folder at the pinned commit; `notes` lists its incompatibilities with this server. */
export type ReadFolder = EntryWithSource & { read: ReadSkill; notes: Diagnostic[]; blobs: Record<string, string> };

/**
 * Reads all files of an entry at the commit that the catalog shows. Throws `invalid` when they are no usable skill,
 * else as `readEntryFiles` and `resolveFiles` do.
 */
export async function readFolder(
  ctx: Ctx,
  { entry, source }: EntryWithSource,
  options: ReadOptions & { budget?: ArchiveBudget } = {},
): Promise<ReadFolder> {
  const listed = listedFiles(entry);
  const budget = options.budget ?? createArchiveBudget();
  const bytes = await readEntryFiles(ctx, { entry, source }, listed, options);
  const { files, notes } = resolveFiles(listed, (sha) => bytes.get(sha) ?? new Uint8Array(), budget);
  const folder = entry.folder.split("/").at(-1) || source.repo;
  const { manifest, diagnostics } = readSkill(files, { folder });
  // Skipped files become diagnostics of the version, so that its reviewer sees them.
  const read: ReadSkill = { folder, files, manifest, diagnostics: [...notes, ...diagnostics] };
  const error = read.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (error) throw new AppError("invalid", `“${entry.name}” cannot be installed: ${error.message}`);
  const host = await hostFacts(ctx, programsNamed(read.manifest));
  return {
    entry,
    source,
    read,
    notes: [...notes, ...reportCompatibility(read.manifest, host), ...(await warnMissingSteps(ctx, read.manifest, []))],
    blobs: Object.fromEntries(listed.map((file) => [file.path, file.sha])),
  };
}

export function listedFiles(entry: Pick<CatalogEntry, "files">): CatalogFile[] {
  return parseJsonColumn(z.array(CatalogFile), entry.files);
}

type FileEntry = Extract<ArchiveEntry, { kind: "file" }>;
type LinkEntry = Extract<ArchiveEntry, { kind: "link" }>;

/**
 * Resolves the files to store, under the limits of an archive: links inside the folder become copies of their targets;
 * other links and submodules are skipped with a note; Git LFS pointers are kept with a note. `budget` counts over all
 * skills of an install.
 */
export function resolveFiles(
  listed: CatalogFile[],
  bytesOf: (sha: string) => Uint8Array,
  budget: ArchiveBudget = createArchiveBudget(),
): { files: SkillFile[]; notes: Diagnostic[] } {
  const plain: FileEntry[] = [];
  const links: LinkEntry[] = [];
  const notes: Diagnostic[] = [];
  for (const { path: given, mode, sha, kind } of listed) {
    const path = safePath(given);
    if (kind === "submodule") {
      notes.push(
        note("submodule", path, "This is a submodule; its content is not in this repository and not installed."),
      );
      continue;
    }
    const bytes = bytesOf(sha);
    if (kind === "symlink") {
      links.push({ kind: "link", path, target: new TextDecoder().decode(bytes), from: "folder" });
      continue;
    }
    budget.addFile(path, bytes.length);
    plain.push({ kind: "file", path, mode, bytes });
    if (isLfsPointer(bytes)) {
      notes.push(note("lfs_pointer", path, "This is a Git LFS pointer; its content is not in git and not installed."));
    }
  }
  const resolved = resolveLinks(links, plain, budget);
  const files = [...plain.map(({ path, mode, bytes }) => ({ path, mode, bytes })), ...resolved.files];
  assertUniquePaths(files.map((file) => file.path));
  return { files, notes: [...notes, ...resolved.diagnostics] };
}

function note(code: string, path: string, message: string): Diagnostic {
  return { code, severity: "warning", path, message };
}
