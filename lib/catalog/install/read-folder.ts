import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { CatalogEntry } from "@/lib/db/generated/client";
import { type ArchiveBudget, createArchiveBudget } from "@/lib/skill-format/archive-budget";
import { readSkill } from "@/lib/skill-format/read-skill";
import { programsNamed, reportFit } from "@/lib/skill-format/report-fit";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { hostFacts } from "@/lib/skills/host-facts";
import { noteMissingSteps } from "@/lib/skills/pipeline/note-missing-steps";
import type { ReadSkill } from "@/lib/skills/store-version";
import type { VisibleSource } from "../browse/visible-sources";
import { type ReadOptions, readEntryFiles } from "../read-files";
import { CatalogFile } from "../schema";
import { resolveFiles } from "./resolve-files";

/** An entry of the catalog with its source. */
export type PlacedEntry = { entry: CatalogEntry; source: VisibleSource };

/** A skill folder as it is at the pinned commit, whole and checked, and what about it does not fit here. */
export type ReadFolder = PlacedEntry & { read: ReadSkill; notes: Diagnostic[]; blobs: Record<string, string> };

/**
 * Reads a whole folder at the commit the catalog shows: every file, not only those a sync looks at. Throws `invalid` when
 * what it holds is no usable skill, else what `readEntryFiles` and `resolveFiles` throw. Stores nothing.
 */
export async function readFolder(
  ctx: Ctx,
  { entry, source }: PlacedEntry,
  options: ReadOptions & { budget?: ArchiveBudget } = {},
): Promise<ReadFolder> {
  const listed = listedFiles(entry);
  const budget = options.budget ?? createArchiveBudget();
  const { owner, repo, isPrivate } = source;
  const place = { owner, repo, isPrivate, commit: entry.commit, folder: entry.folder };
  const bytes = await readEntryFiles(ctx, place, listed, options);
  const { files, notes } = resolveFiles(listed, (sha) => bytes.get(sha) ?? new Uint8Array(), budget);
  const folder = entry.folder.split("/").at(-1) || repo;
  const { manifest, diagnostics } = readSkill(files, { folder });
  // What was left out belongs to the version, as it does with an import, where its reviewer sees it.
  const read: ReadSkill = { folder, files, manifest, diagnostics: [...notes, ...diagnostics] };
  const error = read.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (error) throw new AppError("invalid", `“${entry.name}” cannot be installed: ${error.message}`);
  const host = await hostFacts(ctx, programsNamed(read.manifest));
  return {
    entry,
    source,
    read,
    notes: [...notes, ...reportFit(read.manifest, host), ...(await noteMissingSteps(ctx, read.manifest, []))],
    blobs: Object.fromEntries(listed.map((file) => [file.path, file.sha])),
  };
}

export function listedFiles(entry: Pick<CatalogEntry, "files">): CatalogFile[] {
  return parseJsonColumn(z.array(CatalogFile), entry.files);
}
