import { z } from "zod";
import { IsoTime, QueryFlag } from "@/lib/core/schema";
import { Diagnostic, FileMode, SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { Skill } from "../schema";
import { VersionFinding } from "../versions/schema";

export const ImportQuery = z.object({ owner: z.enum(["me", "org"]).default("me"), preview: QueryFlag.optional() });

export const ImportAnswer = z.object({
  skills: z.array(Skill),
  diagnostics: z.array(Diagnostic),
  folders: z
    .array(
      z.object({
        location: z.string().describe("Path of the folder in the upload; empty for its root."),
        outcome: z
          .enum(["new", "version", "known", "refused", "skipped"])
          .describe("As in the preview; skipped: has a skill marker, but is not a skill."),
        skillId: z.string().nullable(),
        reason: z.string().nullable().describe("Why it was refused or skipped."),
      }),
    )
    .describe("Result for each folder of the upload that could be a skill."),
});
export type ImportAnswer = z.infer<typeof ImportAnswer>;

export const ImportPreview = z.object({
  skills: z.array(
    z.object({
      folder: z.string(),
      location: z.string().describe("Path of the folder in the upload; empty for its root."),
      name: z.string(),
      description: z.string(),
      kind: SkillManifest.shape.kind,
      class: SkillClass.nullable(),
      proposedClass: SkillClass.describe("Class of its runs unless a reviewer chooses another."),
      proposedClassReason: z.string().describe("As the end of a sentence: “declared by its author”."),
      license: z.string().nullable(),
      allowedTools: z.array(z.string()).nullable(),
      entry: z.string().nullable(),
      digest: z.string(),
      files: z.array(z.object({ path: z.string(), size: z.number(), mode: FileMode })),
      diagnostics: z.array(Diagnostic),
      scan: z
        .enum(["complete", "incomplete", "pending"])
        .describe("incomplete: a finding names the part; pending: not scanned here, the scan follows the import."),
      findings: z
        .array(VersionFinding.pick({ rule: true, severity: true, path: true, line: true, why: true }))
        .describe("Most severe first, at most 50."),
      moreFindings: z.number().int().describe("Findings that are not listed."),
      /** new: creates a skill; version: adds one; known: the bytes are already stored; refused: see the diagnostics. */
      effect: z.enum(["new", "version", "known", "refused"]),
    }),
  ),
  diagnostics: z.array(Diagnostic),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const PublishInput = z.strictObject({
  digest: z.string().optional().describe("The version; by default the active one, else the newest."),
  persona: z.string().optional().describe("Id of a persona to publish to instead of the organisation; for admins."),
});
export type PublishInput = z.infer<typeof PublishInput>;

export const ExportQuery = z.object({
  version: z.string().optional(),
  as: z.enum(["original", "spec"]).default("original"),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

/** A folder name and a part of owner keys and source ids, so it contains no slash or colon. */
export const IntegrationDomain = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be a name of lower-case letters");

const orNothing = (text: string) => (text === "" ? undefined : text);

/** `<domain>/manifest.yaml`; other keys are ignored. */
export const IntegrationManifest = z.object({
  name: z.string().trim().max(100).transform(orNothing).optional(),
  description: z.string().trim().max(1000).transform(orNothing).optional(),
  /** As written: `1.0` and `1` are two versions. */
  version: z.string("is missing").trim().min(1, "is missing").max(50),
});
export type IntegrationManifest = z.infer<typeof IntegrationManifest>;

export const SkippedSkill = z.object({ name: z.string(), reason: z.string() });
export type SkippedSkill = z.infer<typeof SkippedSkill>;

/** `me`: for the caller only; `org`: for all. */
export const IntegrationScope = z.enum(["me", "org"]);
export type IntegrationScope = z.infer<typeof IntegrationScope>;

export const IntegrationEntry = z.object({
  scope: IntegrationScope,
  version: z.string().nullable(),
  skipped: z.array(SkippedSkill),
  skills: z.array(z.object({ id: z.string(), name: z.string(), approved: z.boolean(), pending: z.boolean() })),
  setUpBy: z.string(),
  setUpAt: IsoTime,
});
export type IntegrationEntry = z.infer<typeof IntegrationEntry>;

export const Integration = z.object({
  domain: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  version: z.string().nullable(),
  problem: z.string().nullable(),
  skills: z.array(z.object({ name: z.string(), problem: z.string().nullable() })),
  entries: z.array(IntegrationEntry),
});
export type Integration = z.infer<typeof Integration>;

export const IntegrationList = z.object({
  isConfigured: z.boolean(),
  items: z.array(Integration),
  nextCursor: z.null(),
});
export type IntegrationList = z.infer<typeof IntegrationList>;

export const SetUpIntegrationInput = z.strictObject({ scope: IntegrationScope });

export const BulkExportQuery = z.object({
  skills: z
    .string()
    .max(25_000)
    .transform((text) => [...new Set(text.split(",").filter(Boolean))])
    .optional()
    .describe("Ids or names, separated by commas; by default all skills that the caller sees."),
});
export type BulkExportQuery = z.infer<typeof BulkExportQuery>;

export const ExportManifest = z.object({
  format: z.literal("skillgate-export-1"),
  instance: z.string(),
  exportedAt: z.iso.datetime(),
  skills: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      folder: z.string(),
      publisher: z.string(),
      version: z.number().int(),
      digest: z.string(),
      state: z.string(),
      /** Number of scripts withheld from an agent, because no reviewer granted them. */
      withheld: z.number().int(),
      files: z.array(z.object({ path: z.string(), mode: z.string(), sha256: z.string(), size: z.number().int() })),
    }),
  ),
  left: z.array(z.object({ id: z.string(), name: z.string(), reason: z.string() })),
});
export type ExportManifest = z.infer<typeof ExportManifest>;
