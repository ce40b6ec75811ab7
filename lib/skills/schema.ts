import { z } from "zod";
import { IsoTime, PageQuery, pageOf, QueryFlag } from "@/lib/core/schema";
import { Diagnostic, FileMode, JsonObject, SkillClass, SkillManifest } from "@/lib/skill-format/schema";

export const SkillSource = z.enum(["authored", "imported", "catalog", "integration", "worker"]);
export type SkillSource = z.infer<typeof SkillSource>;

export const VersionState = z.enum(["draft", "pending", "approved", "changes_requested", "rejected", "revoked"]);
export type VersionState = z.infer<typeof VersionState>;

export const VersionRef = z.object({ digest: z.string(), number: z.number().int(), state: VersionState });
export type VersionRef = z.infer<typeof VersionRef>;

export const SkillOwner = z.object({ kind: z.enum(["user", "org"]), id: z.string().nullable(), name: z.string() });

export const Skill = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  toolName: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  label: z.string().nullable(),
  class: SkillClass,
  scope: z.enum(["manager", "host"]),
  category: z.string(),
  resultPreview: z.string().nullable(),
  schema: JsonObject.nullable(),
  author: z.string().nullable(),
  version: z.string().nullable(),
  depends: z.array(z.string()),
  userInvocable: z.boolean(),
  source: SkillSource,
  sourceId: z.string().nullable(),
  sourceVersion: z.string().nullable(),
  owner: SkillOwner,
  visibility: z.enum(["private", "public"]),
  enabled: z.boolean(),
  pinned: z.boolean(),
  /** Whether it can be run with arguments; a playbook is used by an agent instead. */
  runnable: z.boolean(),
  allowedTools: z.array(z.string()).nullable(),
  contextFork: z.boolean(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  homepage: z.string().nullable(),
  always: z.boolean(),
  tags: z.array(z.string()),
  requires: JsonObject,
  meta: JsonObject,
  /** The approved version that serves; null while none is. */
  currentVersion: VersionRef.nullable(),
  /** The newest version that still waits for a decision. */
  pendingVersion: VersionRef.nullable(),
  /** Durations of the last finished runs in milliseconds, oldest first, at most 12. */
  recentRuns: z.array(z.object({ state: z.string(), durationMs: z.number().nullable() })),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type Skill = z.infer<typeof Skill>;

export const SkillPage = pageOf(Skill);

export const ListSkillsQuery = PageQuery.extend({
  q: z.string().max(200).optional(),
  source: SkillSource.optional(),
  class: SkillClass.optional(),
  enabled: QueryFlag.optional(),
  scope: z.enum(["manager", "host"]).optional(),
  category: z.string().max(100).optional(),
  tag: z.string().max(100).optional(),
  state: z
    .enum(["approved", "pending", "none"])
    .optional()
    .describe("approved: serves a version; pending: one waits; none: neither"),
});
export type ListSkillsQuery = z.infer<typeof ListSkillsQuery>;

export const FileInput = z
  .object({
    path: z.string().min(1).max(240),
    text: z.string().optional(),
    base64: z.base64().optional(),
    mode: FileMode.optional(),
  })
  .refine((file) => (file.text === undefined) !== (file.base64 === undefined), "give either text or base64");
export type FileInput = z.infer<typeof FileInput>;

export const CreateSkillInput = z.union([
  z.strictObject({ files: z.array(FileInput).min(1).max(500), owner: z.enum(["me", "org"]).optional() }),
  z.strictObject({
    name: z.string().min(1).max(64),
    description: z.string().min(1).max(1024),
    body: z.string().max(512 * 1024),
    whenToUse: z.string().max(1024).optional(),
    allowedTools: z.array(z.string().max(200)).max(100).optional(),
    owner: z.enum(["me", "org"]).optional(),
  }),
]);
export type CreateSkillInput = z.infer<typeof CreateSkillInput>;

export const CreateVersionInput = z.object({
  files: z.array(FileInput).min(1).max(500),
  baseDigest: z.string().describe("Digest of the version the edit started from."),
});
export type CreateVersionInput = z.infer<typeof CreateVersionInput>;

export const ImportQuery = z.object({ owner: z.enum(["me", "org"]).default("me"), preview: QueryFlag.optional() });
export type ImportQuery = z.infer<typeof ImportQuery>;

export const ImportAnswer = z.object({ skills: z.array(Skill), diagnostics: z.array(Diagnostic) });
export type ImportAnswer = z.infer<typeof ImportAnswer>;

/** What an import would do; nothing is stored. */
export const ImportPreview = z.object({
  skills: z.array(
    z.object({
      folder: z.string(),
      name: z.string(),
      description: z.string(),
      kind: SkillManifest.shape.kind,
      class: SkillClass.nullable(),
      allowedTools: z.array(z.string()).nullable(),
      entry: z.string().nullable(),
      digest: z.string(),
      files: z.array(z.object({ path: z.string(), size: z.number(), mode: FileMode })),
      diagnostics: z.array(Diagnostic),
      /** new: creates a skill; version: adds one; known: these bytes are stored already; refused: see the diagnostics. */
      effect: z.enum(["new", "version", "known", "refused"]),
    }),
  ),
  diagnostics: z.array(Diagnostic),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const PatchSkillInput = z
  .strictObject({
    enabled: z.boolean(),
    visibility: z.enum(["private", "public"]),
    pinned: z.boolean(),
    category: z.string().trim().min(1).max(64),
    tags: z.array(z.string().trim().min(1).max(40)).max(20),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchSkillInput = z.infer<typeof PatchSkillInput>;

export const ExportQuery = z.object({
  version: z.string().optional(),
  as: z.enum(["original", "spec"]).default("original"),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

export const VersionAdvice = z.object({
  quality: z.array(Diagnostic),
  /** What `as=spec` leaves out or says in another way. */
  specLosses: z.array(Diagnostic),
});
export type VersionAdvice = z.infer<typeof VersionAdvice>;

export const VersionSummary = VersionRef.extend({
  createdAt: IsoTime,
  createdBy: z.object({ id: z.string(), name: z.string() }),
});
export type VersionSummary = z.infer<typeof VersionSummary>;

export const VersionFile = z.object({
  path: z.string(),
  mode: FileMode,
  sha256: z.string(),
  size: z.number().int(),
  isText: z.boolean(),
});
export type VersionFile = z.infer<typeof VersionFile>;

export const Grants = z.strictObject({
  network: z.union([z.boolean(), z.array(z.string().max(253)).max(100)]).optional(),
  scripts: z.boolean().optional(),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be an environment variable name"))
    .max(100)
    .optional(),
  paths: z
    .array(z.object({ path: z.string(), mode: z.enum(["ro", "rw"]) }))
    .max(50)
    .optional(),
  namespaces: z.array(z.string()).max(10).optional(),
  capabilities: z.array(z.string()).max(20).optional(),
  timeoutSeconds: z.number().int().min(1).max(3600).optional(),
});
export type Grants = z.infer<typeof Grants>;

export const VersionDecision = z.object({
  id: z.string(),
  decision: z.enum(["approve", "request_changes", "reject", "revoke"]),
  comment: z.string(),
  class: SkillClass.nullable(),
  grants: Grants.nullable(),
  actor: z.object({ id: z.string(), name: z.string() }),
  soloMode: z.boolean(),
  createdAt: IsoTime,
});
export type VersionDecision = z.infer<typeof VersionDecision>;

export const Version = VersionSummary.extend({
  skillId: z.string(),
  manifest: SkillManifest,
  provenance: JsonObject,
  submittedAt: IsoTime.nullable(),
  /** The class that will govern runs unless the reviewer chooses another. */
  proposedClass: SkillClass,
  files: z.array(VersionFile),
  diagnostics: z.array(Diagnostic),
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.string(),
      path: z.string(),
      line: z.number().nullable(),
      text: z.string(),
    }),
  ),
  decisions: z.array(VersionDecision),
  subject: z.string().nullable(),
});
export type Version = z.infer<typeof Version>;

export const FileDiff = z.object({
  path: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  modeBefore: FileMode.nullable(),
  modeAfter: FileMode.nullable(),
  /** Unified hunks; null for binaries and files over 1 MiB. Lines begin with a space, `+`, `-` or `\`. */
  hunks: z
    .array(
      z.object({
        oldStart: z.number(),
        oldLines: z.number(),
        newStart: z.number(),
        newLines: z.number(),
        lines: z.array(z.string()),
      }),
    )
    .nullable(),
});
export type FileDiff = z.infer<typeof FileDiff>;

export const VersionDiff = z.object({
  digest: z.string(),
  against: z.string(),
  files: z.array(FileDiff),
  /** What the files declare and is different now: class, entry, environment, tools, schema. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type VersionDiff = z.infer<typeof VersionDiff>;

/** A playbook as an agent gets it. */
export const SkillInstructions = z.object({
  name: z.string(),
  description: z.string(),
  whenToUse: z.string().nullable(),
  instructions: z.string(),
  allowedTools: z.array(z.string()).nullable(),
  contextFork: z.boolean(),
  resources: z.array(z.string()),
  digest: z.string(),
});
export type SkillInstructions = z.infer<typeof SkillInstructions>;
