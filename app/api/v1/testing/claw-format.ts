import { z } from "zod";

/**
 * The shapes that the clawhub CLI (0.23.3) requires of answers, written from its documentation and independently of our code.
 */
const maybe = z.string().nullish();
const Stamp = z.number();
const Latest = z.object({
  version: z.string(),
  createdAt: Stamp,
  changelog: z.string(),
  license: z.literal("MIT-0").nullish(),
});
const Metadata = z
  .object({ setup: z.array(z.object({ key: z.string(), required: z.boolean() })), os: z.array(z.string()).optional() })
  .nullish();
const SkillPart = z.object({
  slug: z.string(),
  displayName: z.string(),
  summary: maybe,
  description: maybe,
  topics: z.array(z.string()).optional(),
  tags: z.unknown(),
  stats: z.unknown(),
  createdAt: Stamp,
  updatedAt: Stamp,
});
const Verdict = z.enum(["clean", "suspicious", "malicious"]);

export const Search = z.object({
  results: z.array(
    z.object({
      slug: z.string().optional(),
      ownerHandle: maybe,
      displayName: z.string().optional(),
      summary: maybe,
      version: maybe,
      score: z.number(),
      downloads: z.number().optional(),
      updatedAt: Stamp.optional(),
      source: z.enum(["clawhub", "skills-sh"]).optional(),
      owner: z.object({ handle: z.string(), displayName: z.string(), image: z.string().nullable() }).nullish(),
      install: z
        .object({
          kind: z.enum(["clawhub", "github", "skills-sh"]),
          reference: z.string(),
          sourceUrl: z.string().nullable(),
        })
        .optional(),
    }),
  ),
});
export const List = z.object({
  items: z.array(SkillPart.extend({ latestVersion: Latest.optional(), metadata: Metadata })),
  nextCursor: z.string().nullable(),
});
export const Skill = z.object({
  skill: SkillPart.nullable(),
  latestVersion: Latest.nullable(),
  metadata: Metadata,
  owner: z.object({ handle: z.string().nullable(), displayName: maybe, image: maybe }).nullable(),
  moderation: z
    .object({
      isSuspicious: z.boolean(),
      isMalwareBlocked: z.boolean(),
      verdict: Verdict.optional(),
      reasonCodes: z.array(z.string()).optional(),
      summary: z.string().nullish(),
      updatedAt: Stamp.nullish(),
    })
    .nullish(),
});
export const Versions = z.object({
  items: z.array(
    z.object({
      version: z.string(),
      createdAt: Stamp,
      changelog: z.string(),
      changelogSource: z.enum(["auto", "user"]).nullish(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export const Version = z.object({
  version: Latest.extend({
    files: z
      .array(z.object({ path: z.string(), size: z.number(), sha256: z.string(), contentType: z.string() }))
      .optional(),
  }).nullable(),
  skill: z.object({ slug: z.string(), displayName: z.string() }).nullable(),
});
export const Moderation = z.object({
  moderation: z
    .object({
      isSuspicious: z.boolean(),
      isMalwareBlocked: z.boolean(),
      verdict: Verdict,
      reasonCodes: z.array(z.string()),
      evidence: z.array(
        z.object({
          code: z.string(),
          severity: z.enum(["info", "warn", "critical"]),
          file: z.string(),
          line: z.number(),
          message: z.string(),
          evidence: z.string(),
        }),
      ),
    })
    .nullable(),
});
const anything = z.unknown().refine((value) => value !== undefined, "must be there");
export const Verify = z.object({
  schema: z.literal("clawhub.skill.verify.v1"),
  ok: z.boolean(),
  decision: z.enum(["pass", "fail"]),
  reasons: z.array(z.string()),
  slug: z.string(),
  displayName: z.string(),
  pageUrl: z.url(),
  publisherHandle: z.string().nullable(),
  publisherDisplayName: z.string().nullable(),
  publisherProfileUrl: z.string().nullable(),
  version: z.string(),
  resolvedFrom: z.enum(["latest", "version", "tag"]),
  tag: z.string().nullable(),
  createdAt: Stamp,
  card: anything,
  artifact: anything,
  provenance: anything,
  security: anything,
  signature: anything,
});
const Match = z.object({ version: z.string() }).nullable();
export const Resolve = z.object({ match: Match, latestVersion: Match });
export const Install = z.object({
  ok: z.literal(true),
  slug: z.string(),
  installKind: z.literal("archive"),
  archive: z.object({ version: z.string(), downloadUrl: z.url() }),
});
export const InstallRefusal = z.object({
  ok: z.literal(false),
  slug: z.string(),
  reason: z.literal("archive_version_missing"),
  message: z.string().min(1),
  status: z.number(),
});
export const Trending = z.object({
  items: z.array(
    z.object({
      slug: z.string(),
      displayName: z.string(),
      summary: z.string(),
      source: z.literal("clawhub"),
      publisher: z.object({ handle: z.string() }),
      metrics: z.object({ updatedAt: Stamp }),
    }),
  ),
});
const Safe = z.object({
  ok: z.literal(true),
  decision: z.literal("pass"),
  overview: z.string().min(1),
  reasons: z.array(z.string()),
  requestedSlug: z.string(),
  requestedOwnerHandle: z.string().nullable(),
  requestedVersion: z.string().nullable(),
  slug: z.string(),
  displayName: z.string(),
  publisherHandle: z.string(),
  publisherDisplayName: z.string(),
  version: z.string(),
  createdAt: Stamp,
  checkedAt: Stamp,
  skillUrl: z.url(),
  securityAuditUrl: z.url(),
  security: z.object({
    status: z.literal("clean"),
    passed: z.literal(true),
    signals: z.object({ staticScan: anything }),
  }),
});
const Unsafe = z.object({ ok: z.literal(false), decision: z.literal("fail"), overview: z.string().min(1) });
export const Verdicts = z.object({
  schema: z.literal("clawhub.skill.security-verdicts.v1"),
  items: z.array(z.discriminatedUnion("ok", [Safe, Unsafe])),
});
export const Whoami = z.object({
  user: z.object({
    handle: z.string(),
    displayName: maybe,
    image: maybe,
    role: z.enum(["admin", "moderator", "user"]).nullish(),
  }),
});
export const UploadUrl = z.object({ uploadUrl: z.url(), uploadTicket: z.string().min(1) });
export const Uploaded = z.object({ storageId: z.string() });
const Status = z.enum(["pending", "published"]).optional();
export const Published = z.object({
  ok: z.literal(true),
  skillId: z.string(),
  versionId: z.string(),
  status: Status,
  publicationStatus: Status,
});
