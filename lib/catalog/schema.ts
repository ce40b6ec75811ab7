import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { Diagnostic, FileMode, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { FileDiff, Skill } from "@/lib/skills/schema";

/** Why a folder, a file or a whole entry is left out or cannot be installed: `code` is stable, `reason` is a sentence. */
export const CatalogNote = z.object({ code: z.string(), reason: z.string() });
export type CatalogNote = z.infer<typeof CatalogNote>;

/** One file of an entry as the tree of the repository lists it; its bytes are fetched when it is read or installed. */
export const CatalogFile = z.object({
  /** Relative to the entry's folder. */
  path: z.string(),
  mode: FileMode,
  /** Git blob sha; of a submodule, the commit it points at. */
  sha: z.string(),
  size: z.number().int(),
  kind: z.enum(["file", "symlink", "submodule"]),
});
export type CatalogFile = z.infer<typeof CatalogFile>;

/** What a source's own `skillgate-index.json` says of an entry. */
export const OperatorIndexEntry = z.object({
  folder: z.string(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  /** SHA-256 of the file that makes the folder a skill (SKILL.md, skill.json or skill.toml). */
  sha256: z.string().nullable(),
  tags: z.array(z.string()),
  requiredCapabilities: z.array(z.string()),
});
export type OperatorIndexEntry = z.infer<typeof OperatorIndexEntry>;

/* Browse */

export const CatalogItem = z.object({
  id: z.string(),
  sourceId: z.string(),
  sourceLabel: z.string(),
  /** Inside the repository; empty for its root. */
  folder: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  /** Null when the skill has no such list. */
  allowedTools: z.array(z.string()).nullable(),
  license: z.string().nullable(),
  tags: z.array(z.string()),
  category: z.string(),
  kind: SkillManifest.shape.kind,
  /** What its runs would be allowed unless a reviewer chooses otherwise. */
  class: SkillClass,
  hasScripts: z.boolean(),
  /** How many. */
  files: z.number().int(),
  bytes: z.number().int(),
  owner: z.string(),
  repo: z.string(),
  /** As the source has it; the default branch's name when it has none. */
  ref: z.string(),
  commit: z.string(),
  treeSha: z.string(),
  /** The folder at the commit, on the website of GitHub. */
  webUrl: z.string(),
  firstSeenAt: IsoTime,
  /** When a sync last found other files in it. */
  changedAt: IsoTime,
  /** `removed`: no longer in the repository. */
  state: z.enum(["present", "removed"]),
  /** Set when it is listed and cannot be installed. */
  blocked: CatalogNote.nullable(),
  packIds: z.array(z.string()),
  installed: z.boolean(),
  /** The skill it became, as far as the caller may see it. */
  installedSkillId: z.string().nullable(),
  updateAvailable: z.boolean(),
  /** Places that carry the same bytes, this one counted. */
  copies: z.number().int(),
});
export type CatalogItem = z.infer<typeof CatalogItem>;

export const CatalogSort = z.enum(["relevance", "name", "updated", "added", "size"]);
export type CatalogSort = z.infer<typeof CatalogSort>;

export const ListCatalogQuery = PageQuery.extend({
  q: z.string().max(200).optional(),
  source: z.string().max(100).optional().describe("id of a source"),
  tag: z.string().max(100).optional(),
  license: z.string().max(200).optional(),
  tool: z.string().max(200).optional().describe("name of a tool without its pattern, e.g. Bash"),
  category: z.string().max(100).optional(),
  has: z.enum(["scripts"]).optional(),
  state: z.enum(["installed", "update", "new"]).optional(),
  pack: z.string().max(100).optional().describe("id of a pack"),
  sort: CatalogSort.optional().describe("relevance with a search, else name"),
});
export type ListCatalogQuery = z.infer<typeof ListCatalogQuery>;

export const FacetValue = z.object({ value: z.string(), label: z.string(), count: z.number().int() });
export type FacetValue = z.infer<typeof FacetValue>;

/** For each facet the values that the other filters leave, most frequent first. */
export const CatalogFacets = z.object({
  source: z.array(FacetValue),
  tag: z.array(FacetValue),
  license: z.array(FacetValue),
  tool: z.array(FacetValue),
  category: z.array(FacetValue),
  has: z.array(FacetValue),
  state: z.array(FacetValue),
});
export type CatalogFacets = z.infer<typeof CatalogFacets>;

/** How fresh what a source shows is; `error` is why its last sync failed. */
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
  /** The playbook after its frontmatter. */
  body: z.string(),
  fileList: z.array(CatalogFile),
  diagnostics: z.array(Diagnostic),
  /** Of the files that are known before installing; the review scans all of them. */
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
  packs: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Every place that carries the same bytes, this one first. */
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

/** A file of an entry before it is installed; `text` is null for binaries and for texts over 256 KiB. */
export const CatalogFileContent = CatalogFile.extend({ text: z.string().nullable() });
export type CatalogFileContent = z.infer<typeof CatalogFileContent>;

/** Entries that belong together and install as a unit. */
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

/* Install and update */

export const InstallInput = z.strictObject({
  /** Of an entry or a pack. */
  id: z.string().min(1).max(100),
  owner: z.enum(["me", "org"]).default("me"),
  /** Chosen by the caller to read the progress with. */
  progressId: z.uuid().optional(),
});
export type InstallInput = z.infer<typeof InstallInput>;

/** What an install or update found out about one skill; kept with its version as provenance. */
export const InstallReport = z.object({
  entryId: z.string(),
  skillId: z.string().nullable(),
  name: z.string(),
  folder: z.string(),
  /** known: these bytes are installed already; refused: see the notes. */
  outcome: z.enum(["installed", "updated", "known", "refused"]),
  files: z.number().int(),
  bytes: z.number().int(),
  /** What does not fit here: platform, missing programs, tools with no counterpart, tool names that were translated. */
  notes: z.array(Diagnostic),
  commit: z.string(),
  at: IsoTime,
});
export type InstallReport = z.infer<typeof InstallReport>;

export const InstallAnswer = z.object({
  skills: z.array(Skill),
  reports: z.array(InstallReport),
  /** One sentence about all of it. */
  summary: z.string(),
});
export type InstallAnswer = z.infer<typeof InstallAnswer>;

export const InstallProgress = z.object({
  id: z.string(),
  state: z.enum(["running", "done", "failed"]),
  done: z.number().int(),
  total: z.number().int(),
  current: z.string().nullable(),
  error: z.string().nullable(),
});
export type InstallProgress = z.infer<typeof InstallProgress>;

/** An installed skill whose folder upstream is another one now, or gone. */
export const UpdateItem = z.object({
  skillId: z.string(),
  skillName: z.string(),
  slug: z.string(),
  entryId: z.string().nullable(),
  sourceId: z.string().nullable(),
  sourceLabel: z.string().nullable(),
  repository: z.string(),
  ref: z.string(),
  folder: z.string(),
  /** available: not taken yet; pending: taken, waits for review; removed: gone upstream. */
  state: z.enum(["available", "pending", "removed"]),
  from: z.object({ commit: z.string(), treeSha: z.string(), digest: z.string() }),
  to: z.object({ commit: z.string(), treeSha: z.string() }).nullable(),
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "removed", "changed"]) })),
  blocked: CatalogNote.nullable(),
  changedAt: IsoTime,
});
export type UpdateItem = z.infer<typeof UpdateItem>;

export const UpdatePage = pageOf(UpdateItem);

/** What taking an update would change; nothing is stored. */
export const UpdatePreview = z.object({
  skillId: z.string(),
  against: z.string().describe("digest of the version that was installed last"),
  commit: z.string(),
  treeSha: z.string(),
  files: z.array(FileDiff),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  notes: z.array(Diagnostic),
});
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const BulkUpdateInput = z.strictObject({ skillIds: z.array(z.string()).min(1).max(100) });
export type BulkUpdateInput = z.infer<typeof BulkUpdateInput>;

export const BulkUpdateAnswer = z.object({
  updated: z.array(z.object({ skillId: z.string(), digest: z.string() })),
  failed: z.array(z.object({ skillId: z.string(), code: z.string(), message: z.string() })),
});
export type BulkUpdateAnswer = z.infer<typeof BulkUpdateAnswer>;

/* Sources (admin) */

export const SourceState = z.enum(["idle", "queued", "running", "failed"]);
export type SourceState = z.infer<typeof SourceState>;

/** Why a sync failed. */
export const SyncErrorCode = z.enum([
  "confirmation_needed",
  "connection",
  "empty",
  "forbidden",
  "integrity",
  "internal",
  "legal_block",
  "malformed_answer",
  "not_found",
  "rate_limited",
  "redirect_refused",
  "ref_not_found",
  "timeout",
  "token_refused",
  "too_large",
  "unexpected_status",
  "upstream_unavailable",
]);
export type SyncErrorCode = z.infer<typeof SyncErrorCode>;

export const SkippedFolder = CatalogNote.extend({ folder: z.string() });
export type SkippedFolder = z.infer<typeof SkippedFolder>;

/** The repository that answers under the source's name now, when it is not the one that was pinned. */
export const PendingRepository = z.object({
  id: z.string(),
  fullName: z.string().describe("owner/name"),
  reason: z.enum(["renamed", "replaced"]),
});
export type PendingRepository = z.infer<typeof PendingRepository>;

export const CatalogSource = z.object({
  id: z.string(),
  label: z.string(),
  repoUrl: z.string(),
  owner: z.string(),
  repo: z.string(),
  /** Null for the default branch. */
  ref: z.string().nullable(),
  defaultBranch: z.string().nullable(),
  /** Only what lies below it; null for everything. */
  folder: z.string().nullable(),
  enabled: z.boolean(),
  intervalMinutes: z.number().int(),
  repositoryId: z.string().nullable(),
  pendingRepository: PendingRepository.nullable(),
  isPrivate: z.boolean(),
  state: SourceState,
  jobId: z.string().nullable(),
  /** Files read so far in the sync under way, and files to read; both 0 until that is known. */
  done: z.number().int(),
  total: z.number().int(),
  /** API requests of the last sync, each attempt counted. */
  requests: z.number().int(),
  /** Reads from the raw host in the last sync, which cost no quota. */
  rawReads: z.number().int(),
  rateLimit: z
    .object({ limit: z.number().int().nullable(), left: z.number().int(), resetAt: IsoTime.nullable() })
    .nullable(),
  commit: z.string().nullable(),
  /** Of the last good sync, which is what the catalog shows. */
  syncedAt: IsoTime.nullable(),
  /** Null when it waits for a person: disabled, or a repository to confirm. */
  nextSyncAt: IsoTime.nullable(),
  failures: z.number().int(),
  error: z.string().nullable(),
  errorCode: SyncErrorCode.nullable(),
  skipped: z.array(SkippedFolder),
  counts: z.object({
    entries: z.number().int(),
    removed: z.number().int(),
    blocked: z.number().int(),
    packs: z.number().int(),
    installed: z.number().int(),
  }),
  webUrl: z.string(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type CatalogSource = z.infer<typeof CatalogSource>;

export const CatalogSourcePage = pageOf(CatalogSource);

const Label = lineOfText(80);
const RepoUrl = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe("https://github.com/<owner>/<repository>, optionally with /tree/<ref>/<folder>");
const Ref = z
  .string()
  .trim()
  .max(200)
  .transform((ref) => (ref === "" ? null : ref))
  .describe("branch, tag or sha; null, empty or left out for the default branch");
const Folder = z.string().trim().max(500).describe("only skills below this folder");
const IntervalMinutes = z
  .number()
  .int()
  .min(5)
  .max(7 * 24 * 60)
  .describe("minutes between syncs");

export const CreateSourceInput = z.strictObject({
  label: Label,
  repoUrl: RepoUrl,
  ref: Ref.nullish(),
  folder: Folder.nullish(),
  enabled: z.boolean().default(true),
  intervalMinutes: IntervalMinutes.default(360),
  sync: z.boolean().default(false).describe("queue the first sync at once"),
});
export type CreateSourceInput = z.infer<typeof CreateSourceInput>;

/** Fields left out keep their value. */
export const UpdateSourceInput = z
  .strictObject({
    label: Label,
    repoUrl: RepoUrl,
    ref: Ref.nullable(),
    folder: Folder.nullable(),
    enabled: z.boolean(),
    intervalMinutes: IntervalMinutes,
  })
  .partial();
export type UpdateSourceInput = z.infer<typeof UpdateSourceInput>;

export const PreviewSourceInput = z.strictObject({ repoUrl: RepoUrl, ref: Ref.nullish(), folder: Folder.nullish() });
export type PreviewSourceInput = z.infer<typeof PreviewSourceInput>;

/** What a source would offer, from the list of its files alone; nothing is stored. */
export const SourcePreview = z.object({
  owner: z.string(),
  repo: z.string(),
  ref: z.string(),
  folder: z.string().nullable(),
  repositoryId: z.string(),
  isPrivate: z.boolean(),
  commit: z.string(),
  /** GitHub cut the list of files: a sync will walk the folders and may find more. */
  truncated: z.boolean(),
  total: z.number().int(),
  /** The first 500. */
  skills: z.array(
    z.object({
      folder: z.string(),
      name: z.string().describe("of the folder"),
      files: z.number().int(),
      bytes: z.number().int(),
      hasScripts: z.boolean(),
    }),
  ),
  /** Files that declare packs or an index. */
  declares: z.array(z.string()),
  skipped: z.array(SkippedFolder),
  requests: z.number().int(),
});
export type SourcePreview = z.infer<typeof SourcePreview>;

export const SyncAnswer = z.object({ jobId: z.string() });
export type SyncAnswer = z.infer<typeof SyncAnswer>;

/** The id of the repository to accept, as `pendingRepository` gives it. */
export const ConfirmRepositoryInput = z.strictObject({ repositoryId: z.string().regex(/^\d{1,20}$/) });
export type ConfirmRepositoryInput = z.infer<typeof ConfirmRepositoryInput>;

export const GitHubTokenInput = z.strictObject({
  token: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{20,255}$/, "must be a GitHub token: 20 to 255 letters, digits, _ . or -"),
});
export type GitHubTokenInput = z.infer<typeof GitHubTokenInput>;

/** Whether a token is stored; the token itself is never shown again. */
export const GitHubTokenStatus = z.object({
  isSet: z.boolean(),
  setAt: IsoTime.nullable(),
  setBy: z.string().nullable(),
});
export type GitHubTokenStatus = z.infer<typeof GitHubTokenStatus>;

export const SourceParams = z.object({ id: z.string() });
