import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { PublisherRef } from "../publishers/schema";

/** Skills in one collection. */
export const MOST_SKILLS = 200;

/** The part of an address that names a collection. */
export const CollectionSlug = z
  .string()
  .regex(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/, "must be 1 to 64 lowercase letters, digits and single hyphens");

export const CollectionSummary = z.object({
  id: z.string(),
  slug: CollectionSlug,
  title: z.string(),
  description: z.string(),
  /** `public`: everybody sees it, with those of its skills that they see; `private`: its owner and admins. */
  visibility: z.enum(["private", "public"]),
  owner: z.object({ id: z.string(), name: z.string() }),
  /** Skills in it that the caller sees. */
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
  /** Digest of the approved version; null while nothing is. */
  digest: z.string().nullable(),
  deprecated: z.boolean(),
  publisher: PublisherRef,
});
export type CollectionItem = z.infer<typeof CollectionItem>;

export const Collection = CollectionSummary.extend({
  /** In its order; without those that the caller does not see. */
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
  slug: CollectionSlug.optional().describe("Its address, which stays; made of the title when left out."),
});
export type CreateCollectionInput = z.input<typeof CreateCollectionInput>;

export const PatchCollectionInput = z
  .strictObject(fields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "name at least one field to change");
export type PatchCollectionInput = z.infer<typeof PatchCollectionInput>;

/** The skills in their new order. What the caller does not see stays, at the end. */
export const OrderCollectionInput = z.strictObject({ skills: z.array(z.string().max(100)).max(MOST_SKILLS) });
export type OrderCollectionInput = z.infer<typeof OrderCollectionInput>;

export const AddToCollectionInput = z.strictObject({ skill: z.string().max(100).describe("Id or name.") });
export type AddToCollectionInput = z.infer<typeof AddToCollectionInput>;
