import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
import { Diagnostic, FileMode, SkillClass, SkillManifest } from "@/lib/skill-format/schema";

/** Why a folder, file or entry is skipped or cannot be installed. `code` is stable, `reason` is a sentence. */
export const CatalogNote = z.object({ code: z.string(), reason: z.string() });
export type CatalogNote = z.infer<typeof CatalogNote>;

export const CatalogFile = z.object({
  /** Relative to the entry's folder. */
  path: z.string(),
  mode: FileMode,
  /** Git blob sha; for a submodule, its commit. */
  sha: z.string(),
  size: z.number().int(),
  kind: z.enum(["file", "symlink", "submodule"]),
});
export type CatalogFile = z.infer<typeof CatalogFile>;

/** An entry of a source's own `skillgate-index.json`. */
export const OperatorIndexEntry = z.object({
  folder: z.string(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  /** SHA-256 of the file that makes the folder a skill (SKILL.md, skill.json or skill.toml). */
  sha256: z.string().nullable(),
  tags: z.array(z.string()),
  requiredCapabilities: z.array(z.string()),
  /** What a registry states about the release, and the git tree of what was found; absent in repositories. */
  release: z
    .object({
      publisher: z.string().nullable(),
      version: z.string().nullable(),
      digest: z.string().nullable(),
      found: z.string().nullable(),
      key: z.string(),
    })
    .optional(),
});
export type OperatorIndexEntry = z.infer<typeof OperatorIndexEntry>;

/* Browse */

export const CatalogItem = z.object({
  id: z.string(),
  sourceId: z.string(),
  sourceLabel: z.string(),
  folder: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  allowedTools: z.array(z.string()).nullable(),
  license: z.string().nullable(),
  tags: z.array(z.string()),
  category: z.string(),
  kind: SkillManifest.shape.kind,
  /** The class of its runs unless a reviewer chooses another. */
  class: SkillClass,
  hasScripts: z.boolean(),
  files: z.number().int(),
  bytes: z.number().int(),
  owner: z.string(),
  repo: z.string(),
  /** The ref of the source, or the name of the default branch. */
  ref: z.string(),
  commit: z.string(),
  treeSha: z.string(),
  webUrl: z.string(),
  firstSeenAt: IsoTime,
  /** When a sync last found changed files. */
  changedAt: IsoTime,
  state: z.enum(["present", "removed"]),
  blocked: CatalogNote.nullable(),
  packIds: z.array(z.string()),
  installed: z.boolean(),
  /** The installed skill; null when the caller may not see it. */
  installedSkillId: z.string().nullable(),
  updateAvailable: z.boolean(),
  /** Number of entries with the same bytes, this one included. */
  copies: z.number().int(),
});
export type CatalogItem = z.infer<typeof CatalogItem>;

export const CatalogSort = z.enum(["relevance", "name", "updated", "added", "size"]);
export type CatalogSort = z.infer<typeof CatalogSort>;

export const CatalogContent = z.enum(["scripts", "program", "pipeline", "instructions"]);
export type CatalogContent = z.infer<typeof CatalogContent>;

export const ListCatalogQuery = PageQuery.extend({
  q: z.string().max(200).optional(),
  source: z.string().max(100).optional().describe("id of a source"),
  tag: z.string().max(100).optional(),
  license: z.string().max(200).optional().describe("SPDX identifier, e.g. MIT; other spellings are accepted"),
  tool: z.string().max(200).optional().describe("name of a tool without its pattern, e.g. Bash"),
  category: z.string().max(100).optional(),
  has: CatalogContent.optional().describe("what the entry brings"),
  class: SkillClass.optional().describe("the class that is proposed for its runs"),
  state: z.enum(["installed", "update", "new"]).optional(),
  pack: z.string().max(100).optional().describe("id of a pack"),
  sort: CatalogSort.optional().describe("relevance with a search, else name"),
});
export type ListCatalogQuery = z.infer<typeof ListCatalogQuery>;

export const FacetValue = z.object({ value: z.string(), label: z.string(), count: z.number().int() });
export type FacetValue = z.infer<typeof FacetValue>;

/** For each facet, the values left by the other filters, most frequent first. */
export const CatalogFacets = z.object({
  source: z.array(FacetValue),
  class: z.array(FacetValue),
  tag: z.array(FacetValue),
  license: z.array(FacetValue),
  tool: z.array(FacetValue),
  category: z.array(FacetValue),
  has: z.array(FacetValue),
  state: z.array(FacetValue),
});
export type CatalogFacets = z.infer<typeof CatalogFacets>;

/** Freshness of a source; `error` is the reason of its last failed sync. */
export const CatalogSourceStatus = z.object({
  id: z.string(),
  label: z.string(),
  syncedAt: IsoTime.nullable(),
  error: z.string().nullable(),
});
export type CatalogSourceStatus = z.infer<typeof CatalogSourceStatus>;

export const CatalogPage = pageOf(CatalogItem).extend({
  total: z.number().int(),
  facets: CatalogFacets,
  sources: z.array(CatalogSourceStatus),
});
export type CatalogPage = z.infer<typeof CatalogPage>;

export const CatalogFinding = z.object({
  rule: z.string(),
  severity: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  text: z.string(),
});

export const CatalogDetail = CatalogItem.extend({
  manifest: SkillManifest,
  body: z.string(),
  fileList: z.array(CatalogFile),
  diagnostics: z.array(Diagnostic),
  /** Findings in the files that a sync has read; the review scans all files. */
  findings: z.array(CatalogFinding),
  provenance: z.object({
    repository: z.string().describe("owner/name"),
    repositoryId: z.string().nullable(),
    ref: z.string(),
    commit: z.string(),
    folder: z.string(),
    treeSha: z.string(),
    webUrl: z.string(),
    syncedAt: IsoTime.nullable(),
  }),
  operatorIndex: OperatorIndexEntry.nullable(),
  /** Names of the skills that it needs. */
  dependsOn: z.array(z.string()),
  packs: z.array(z.object({ id: z.string(), name: z.string() })),
  /** All entries with the same bytes, this one first. */
  places: z.array(
    z.object({
      id: z.string(),
      sourceId: z.string(),
      sourceLabel: z.string(),
      repository: z.string(),
      folder: z.string(),
      webUrl: z.string(),
    }),
  ),
});
export type CatalogDetail = z.infer<typeof CatalogDetail>;

export const CatalogFileQuery = z.object({ path: z.string().min(1).max(240) });

/** A file of an entry; `text` is null for binaries and for texts over 256 KiB. */
export const CatalogFileContent = CatalogFile.extend({ text: z.string().nullable() });
export type CatalogFileContent = z.infer<typeof CatalogFileContent>;

export const CatalogPack = z.object({
  id: z.string(),
  sourceId: z.string(),
  sourceLabel: z.string(),
  kind: z.enum(["plugin", "group"]),
  name: z.string(),
  description: z.string(),
  version: z.string().nullable(),
  category: z.string().nullable(),
  members: z.array(z.object({ id: z.string(), name: z.string(), folder: z.string(), installed: z.boolean() })),
});
export type CatalogPack = z.infer<typeof CatalogPack>;

export const CatalogPackPage = pageOf(CatalogPack);

export const KeepBytesInput = z.strictObject({ keeps: z.boolean() });
export type KeepBytesInput = z.infer<typeof KeepBytesInput>;

/** Whether all files of a source are stored here, and how far that is. */
export const KeptBytes = z.object({
  keeps: z.boolean(),
  since: z.string().nullable(),
  by: z.object({ id: z.string(), name: z.string() }).nullable(),
  entries: z.number().int().describe("Listed entries at the last pass."),
  complete: z.number().int().describe("Entries of which every file is stored here."),
  problem: z.string().nullable().describe("Why files are missing, as a sentence; null when none is."),
});
export type KeptBytes = z.infer<typeof KeptBytes>;
