import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf, QueryFlag } from "@/lib/core/schema";
import { SKILL_SCOPES } from "@/lib/policy/ownership";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { Deprecation, PublisherRef, StarState } from "./community/schema";
import { FileInput, Trust, VersionRef } from "./versions/schema";

export const SkillSource = z.enum(["authored", "imported", "catalog", "integration", "worker"]);
export type SkillSource = z.infer<typeof SkillSource>;

/** `org` also for shared skills of integrations. */
export const SkillOwner = z.object({
  kind: z.enum(["user", "org", "persona"]),
  id: z.string().nullable(),
  name: z.string(),
});
export type SkillOwner = z.infer<typeof SkillOwner>;

export const SkillScope = z.enum(SKILL_SCOPES);

/** Authored skills become `stale` after 30 days without use, and `archived` (disabled) after 90. */
export const Lifecycle = z.enum(["active", "stale", "archived"]);

/** Another skill of the same name in the caller's scopes, and which of the two is used and why. */
export const Rival = z.object({ id: z.string(), name: z.string(), scope: SkillScope, reason: z.string() });
export type Rival = z.infer<typeof Rival>;

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
  callSchema: JsonObject.nullable().describe(
    "Schema of the arguments that a caller sends; for scope host with a required `edge_id`.",
  ),
  author: z.string().nullable(),
  version: z.string().nullable(),
  depends: z.array(z.string()),
  userInvocable: z.boolean(),
  source: SkillSource,
  sourceId: z.string().nullable(),
  sourceVersion: z.string().nullable(),
  builtin: z.boolean().describe("Whether its active version came with this release, byte for byte."),
  offered: z.boolean().nullable().describe("For skills of workers: whether any worker still has it."),
  owner: SkillOwner,
  visibility: z.enum(["private", "public"]),
  enabled: z.boolean(),
  pinned: z.boolean(),
  listed: z.boolean(),
  lifecycle: Lifecycle,
  lastUsedAt: IsoTime.nullable(),
  /** Scope in which the caller's names resolve to it; null outside their scopes. */
  nameScope: SkillScope.nullable(),
  adopted: z.boolean(),
  shadowedBy: Rival.nullable(),
  shadows: z.array(Rival),
  /** Whether it can be run with arguments; agents read a playbook instead. */
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
  currentVersion: VersionRef.nullable(),
  pendingVersion: VersionRef.nullable(),
  trust: Trust,
  /** Durations of the last finished runs in milliseconds, oldest first, at most 12. */
  recentRuns: z.array(z.object({ state: z.string(), durationMs: z.number().nullable() })),
  publisher: PublisherRef,
  ...StarState.shape,
  installs: z.number().int().min(0).describe("Through all distribution endpoints, of all versions."),
  deprecated: Deprecation.nullable(),
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
    .describe("approved: has an active version; pending: has a pending one; none: neither"),
  lifecycle: Lifecycle.optional(),
  builtin: QueryFlag.optional().describe("true: only built-ins of this release; false: all other skills"),
  publisher: z.string().max(39).optional().describe("Handle of a publisher: only its skills"),
  owner: z
    .enum(["me", "shared", "org"])
    .optional()
    .describe("me: the caller's own; org: the organisation's; shared: those of other people"),
  starred: QueryFlag.optional().describe("true: only skills that the caller starred"),
});
export type ListSkillsQuery = z.infer<typeof ListSkillsQuery>;

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

export const PatchSkillInput = z
  .strictObject({
    enabled: z.boolean(),
    visibility: z.enum(["private", "public"]),
    pinned: z.boolean(),
    listed: z.boolean().describe("False hides it from everyone immediately; for admins."),
    category: lineOfText(64),
    tags: z.array(lineOfText(40)).max(20),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchSkillInput = z.infer<typeof PatchSkillInput>;
