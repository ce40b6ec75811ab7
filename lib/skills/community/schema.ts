import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { SkillClass } from "@/lib/skill-format/schema";

export const Handle = z
  .string()
  .regex(/^(?=.{1,39}$)[a-z0-9]+(-[a-z0-9]+)*$/, "must be 1 to 39 lowercase letters, digits and single hyphens");

export const PublisherRef = z.object({
  handle: Handle,
  name: z.string(),
  verified: z.boolean(),
});
export type PublisherRef = z.infer<typeof PublisherRef>;

export const Publisher = PublisherRef.extend({
  id: z.string(),
  kind: z.enum(["user", "org"]),
  bio: z.string().nullable(),
  homepage: z.string().nullable(),
  verifiedAt: IsoTime.nullable(),
  skills: z.number().int(),
  editable: z.boolean(),
  handleFreeAt: IsoTime.nullable(),
  createdAt: IsoTime,
});
export type Publisher = z.infer<typeof Publisher>;

export const PublisherPage = pageOf(Publisher);
export const ListPublishersQuery = PageQuery;
export type ListPublishersQuery = z.infer<typeof ListPublishersQuery>;

export const PatchPublisherInput = z
  .strictObject({
    handle: Handle,
    name: lineOfText(80),
    bio: z.string().trim().max(500).nullable(),
    homepage: z
      .url({ protocol: /^https?$/, message: "must be an http or https address" })
      .max(300)
      .nullable(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchPublisherInput = z.infer<typeof PatchPublisherInput>;

export const MAX_SKILLS = 200;

const CollectionSlug = z
  .string()
  .regex(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/, "must be 1 to 64 lowercase letters, digits and single hyphens");

export const CollectionSummary = z.object({
  id: z.string(),
  slug: CollectionSlug,
  title: z.string(),
  description: z.string(),
  /** `public`: visible to all, with the skills that each caller sees; `private`: visible to its owner and admins. */
  visibility: z.enum(["private", "public"]),
  owner: z.object({ id: z.string(), name: z.string() }),
  count: z.number().int(),
  editable: z.boolean(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type CollectionSummary = z.infer<typeof CollectionSummary>;

export const CollectionItem = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string().nullable(),
  description: z.string(),
  class: SkillClass,
  enabled: z.boolean(),
  digest: z.string().nullable(),
  deprecated: z.boolean(),
  publisher: PublisherRef,
});
export type CollectionItem = z.infer<typeof CollectionItem>;

export const Collection = CollectionSummary.extend({
  skills: z.array(CollectionItem),
});
export type Collection = z.infer<typeof Collection>;

export const CollectionPage = pageOf(CollectionSummary);

export const ListCollectionsQuery = PageQuery.extend({
  mine: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional()
    .describe("true: only those that the caller may change"),
  skill: z.string().max(100).optional().describe("Id of a skill: only collections that have it."),
});
export type ListCollectionsQuery = z.infer<typeof ListCollectionsQuery>;

const fields = {
  title: lineOfText(80),
  description: z.string().trim().max(500),
  visibility: z.enum(["private", "public"]),
};

export const CreateCollectionInput = z.strictObject({
  ...fields,
  description: fields.description.default(""),
  visibility: fields.visibility.default("private"),
  slug: CollectionSlug.optional().describe("Never changes; made from the title when omitted."),
});
export type CreateCollectionInput = z.input<typeof CreateCollectionInput>;

export const PatchCollectionInput = z
  .strictObject(fields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchCollectionInput = z.infer<typeof PatchCollectionInput>;

/** The skills in their new order; skills that the caller cannot see stay at the end. */
export const OrderCollectionInput = z.strictObject({ skills: z.array(z.string().max(100)).max(MAX_SKILLS) });
export type OrderCollectionInput = z.infer<typeof OrderCollectionInput>;

export const AddToCollectionInput = z.strictObject({ skill: z.string().max(100).describe("Id or name.") });
export type AddToCollectionInput = z.infer<typeof AddToCollectionInput>;

export const ReportReason = z.enum(["malicious", "impersonation", "broken", "licence", "other"]);
export type ReportReason = z.infer<typeof ReportReason>;

export const ReportResolution = z.enum(["no_action", "deprecated", "revoked", "removed"]);
export type ReportResolution = z.infer<typeof ReportResolution>;

export const CreateReportInput = z.strictObject({
  reason: ReportReason,
  text: z.string().trim().min(1).max(2000),
});
export type CreateReportInput = z.infer<typeof CreateReportInput>;

export const ReportReceipt = z.object({ id: z.string(), state: z.enum(["open", "closed"]), createdAt: IsoTime });
export type ReportReceipt = z.infer<typeof ReportReceipt>;

export const Report = ReportReceipt.extend({
  /** `exists` is false after the skill was deleted. */
  skill: z.object({ id: z.string(), name: z.string(), label: z.string().nullable(), exists: z.boolean() }),
  versionDigest: z.string().nullable(),
  reporter: z.object({ id: z.string().nullable(), name: z.string() }),
  reason: ReportReason,
  text: z.string(),
  closed: z
    .object({
      resolution: ReportResolution,
      note: z.string().nullable(),
      at: IsoTime,
      by: z.object({ id: z.string().nullable(), name: z.string() }),
    })
    .nullable(),
});
export type Report = z.infer<typeof Report>;

export const ReportPage = pageOf(Report);

export const ListReportsQuery = PageQuery.extend({
  state: z.enum(["open", "closed"]).default("open"),
  skill: z.string().max(100).optional().describe("Id of a skill."),
});
export type ListReportsQuery = z.infer<typeof ListReportsQuery>;

export const CloseReportInput = z.strictObject({
  resolution: ReportResolution,
  note: z.string().trim().max(2000).optional(),
});
export type CloseReportInput = z.infer<typeof CloseReportInput>;

export const StarState = z.object({
  starred: z.boolean(),
  stars: z.number().int(),
});
export type StarState = z.infer<typeof StarState>;

/** Its owner advises against the skill; its active version stays active. */
export const Deprecation = z.object({
  at: IsoTime,
  reason: z.string(),
  replacedBy: z.object({ id: z.string(), name: z.string(), label: z.string().nullable() }).nullable(),
});
export type Deprecation = z.infer<typeof Deprecation>;

export const DeprecateInput = z.strictObject({
  reason: z.string().trim().min(1).max(500),
  replacedBy: z.string().max(100).optional().describe("Id or name of the skill to use instead."),
});
export type DeprecateInput = z.infer<typeof DeprecateInput>;

export const Update = z.object({
  skill: z.object({ id: z.string(), name: z.string(), description: z.string() }),
  publisher: PublisherRef,
  digest: z.string(),
  number: z.number().int(),
  approvedAt: IsoTime,
  changelog: z.string().nullable(),
  serves: z.boolean(),
  url: z.url(),
});
export type Update = z.infer<typeof Update>;

export const UpdatePage = pageOf(Update);
export const ListUpdatesQuery = PageQuery;
export type ListUpdatesQuery = z.infer<typeof ListUpdatesQuery>;
