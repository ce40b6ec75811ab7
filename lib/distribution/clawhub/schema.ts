import { z } from "zod";

const Slug = z.string().trim().toLowerCase().min(1).max(64);
const OwnerHandle = z
  .string()
  .max(64)
  .transform((text) => text.trim().replace(/^@+/, "").toLowerCase())
  .optional();
const VersionText = z.string().trim().min(1).max(64).optional();
const Limit = z.coerce.number().int().min(1).max(200);

/** Queries and bodies of ClawHub's API (clawhub 0.23.3). Unknown parameters are ignored. */
export const SlugParams = z.object({ slug: Slug });
export const OwnerQuery = z.object({ ownerHandle: OwnerHandle });
export const PinnedQuery = z.object({ ownerHandle: OwnerHandle, version: VersionText, tag: VersionText });
export const DownloadQuery = PinnedQuery.extend({ slug: Slug });
export const FileQuery = PinnedQuery.extend({
  path: z.string().min(1).max(500),
  preview: z.string().max(5).optional(),
});
export const ResolveQuery = z.object({
  slug: Slug,
  ownerHandle: OwnerHandle,
  hash: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits"),
});
export const ClawSearchQuery = z.object({
  q: z.string().trim().max(200).default(""),
  limit: Limit.default(25),
  mode: z.enum(["exact"]).optional(),
});
export const ClawListQuery = z.object({
  limit: Limit.default(25),
  sort: z
    .enum([
      "updated",
      "recommended",
      "createdAt",
      "newest",
      "downloads",
      "installs",
      "stars",
      "rating",
      "name",
      "trending",
    ])
    .default("updated"),
  cursor: z.string().max(500).optional(),
  prefix: z.string().trim().toLowerCase().max(64).optional(),
});
export type ClawListQuery = z.infer<typeof ClawListQuery>;
export const VersionsQuery = z.object({
  ownerHandle: OwnerHandle,
  limit: Limit.default(25),
  cursor: z.string().max(500).optional(),
});
export const VersionParams = SlugParams.extend({ version: z.string().trim().min(1).max(64) });

const Reference = z.object({
  slug: Slug,
  ownerHandle: z.string().max(64).nullish(),
  version: z.string().max(64).nullish(),
});
export const VerdictsInput = z.object({ items: z.array(Reference).min(1).max(100) });
export type VerdictsInput = z.infer<typeof VerdictsInput>;
export const TelemetryInput = z.object({ event: z.string().max(40) }).and(Reference.partial());

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");
export const UploadUrlInput = z.object({
  path: z.string().min(1).max(500),
  size: z.number().int().min(0),
  sha256: Sha256,
});
export type UploadUrlInput = z.infer<typeof UploadUrlInput>;
export const UploadQuery = z.object({ id: z.string().max(64) });
export const PublishInput = z.object({
  slug: Slug,
  displayName: z.string().max(200).optional(),
  ownerHandle: OwnerHandle,
  version: z.string().max(64),
  changelog: z.string().max(10_000).default(""),
  files: z
    .array(
      z.object({
        path: z.string().min(1).max(500),
        size: z.number().int().min(0),
        sha256: Sha256,
        storageId: z.string().max(64),
        uploadTicket: z.string().max(200),
      }),
    )
    .min(1)
    .max(1_000),
});
export type PublishInput = z.infer<typeof PublishInput>;

export type Pin = { version?: string | undefined; tag?: string | undefined };
export type SkillReference = { slug: string; ownerHandle?: string | null | undefined };
