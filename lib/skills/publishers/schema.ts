import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";

/** The part of an address that names a publisher. */
export const Handle = z
  .string()
  .regex(/^(?=.{1,39}$)[a-z0-9]+(-[a-z0-9]+)*$/, "must be 1 to 39 lowercase letters, digits and single hyphens");

/** Under whose name a skill is offered. */
export const PublisherRef = z.object({
  handle: Handle,
  name: z.string(),
  /** An admin has confirmed that the name is who it says. */
  verified: z.boolean(),
});
export type PublisherRef = z.infer<typeof PublisherRef>;

export const Publisher = PublisherRef.extend({
  id: z.string(),
  kind: z.enum(["user", "org"]),
  bio: z.string().nullable(),
  homepage: z.string().nullable(),
  verifiedAt: IsoTime.nullable(),
  /** Skills of it that the caller sees. */
  skills: z.number().int(),
  /** Whether the caller may change the profile. */
  editable: z.boolean(),
  /** When its owner may choose another handle; null when they may now. */
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
