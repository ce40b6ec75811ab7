import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";

export const CapabilityScopeKind = z.enum(["root", "skill", "publisher", "collection"]);
export type CapabilityScopeKind = z.infer<typeof CapabilityScopeKind>;

/** An address with which a client reads skills without signing in. Its token is stored hashed and never shown again. */
export const CapabilityUrl = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of its token, by which people know it."),
  scope: z.object({
    kind: CapabilityScopeKind,
    id: z.string().nullable(),
    label: z.string().describe("What it covers, in words."),
  }),
  persona: z.string().nullable(),
  createdAt: IsoTime,
  expiresAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
  expired: z.boolean(),
});
export type CapabilityUrl = z.infer<typeof CapabilityUrl>;

export const CapabilityUrlPage = pageOf(CapabilityUrl);
export const ListCapabilityUrlsQuery = PageQuery;
export type ListCapabilityUrlsQuery = z.infer<typeof ListCapabilityUrlsQuery>;

export const CreateCapabilityUrlInput = z.strictObject({
  name: lineOfText(80),
  scope: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("root") }),
      z.strictObject({ kind: z.literal("skill"), id: z.string().min(1).max(200).describe("Id or name of a skill.") }),
      z.strictObject({ kind: z.literal("publisher"), id: z.string().min(1).max(100).describe("Handle or id.") }),
      z.strictObject({ kind: z.literal("collection"), id: z.string().min(1).max(200).describe("Slug or id.") }),
    ])
    .default({ kind: "root" }),
  expiresAt: IsoTime.optional().describe("At most a year ahead; 90 days when left out."),
  persona: z.string().max(100).optional().describe("Cuts it down to what agents under this persona see."),
});
export type CreateCapabilityUrlInput = z.input<typeof CreateCapabilityUrlInput>;

export const CreatedCapabilityUrl = CapabilityUrl.extend({
  url: z.string().describe("The whole address, with its token; shown this once."),
});
export type CreatedCapabilityUrl = z.infer<typeof CreatedCapabilityUrl>;

export const CapabilityUrlParams = z.object({ id: z.string().max(100) });
