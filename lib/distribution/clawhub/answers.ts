import { z } from "zod";
import { JsonObject } from "@/lib/skill-format/schema";

/** Answers of ClawHub's API (clawhub 0.23.3), for the API description. */
export const ClawInstance = z.object({ apiBase: z.string(), authBase: z.string(), minCliVersion: z.string() });
export const ClawDone = z.object({ ok: z.literal(true) });
const Cursor = z.string().nullable();
const Owner = z.object({
  handle: z.string(),
  displayName: z.string(),
  image: z.null(),
  kind: z.enum(["org", "user"]),
  official: z.boolean(),
});
const Moderation = z
  .object({
    isSuspicious: z.boolean(),
    isMalwareBlocked: z.boolean(),
    verdict: z.enum(["clean", "suspicious", "malicious"]),
    reasonCodes: z.array(z.string()),
    summary: z.string(),
    engineVersion: z.string(),
    updatedAt: z.number().nullable(),
    evidence: z.array(JsonObject).optional(),
  })
  .nullable();
const Version = z.object({
  version: z.string(),
  createdAt: z.number(),
  changelog: z.string(),
  license: z.literal("MIT-0").nullable(),
});

/** For a version that was revoked or tampered with, all but `moderation` is null. */
export const ClawSkill = z.object({
  skill: JsonObject.nullable(),
  latestVersion: Version.nullable(),
  metadata: JsonObject.nullable(),
  owner: Owner.nullable(),
  moderation: Moderation,
});
export const ClawModeration = z.object({ moderation: Moderation });
export const ClawPage = z.object({ items: z.array(JsonObject), nextCursor: Cursor });
export const ClawVersion = z.object({
  version: Version.extend({
    files: z.array(z.object({ path: z.string(), size: z.number(), sha256: z.string(), contentType: z.string() })),
  }),
  skill: z.object({ slug: z.string(), displayName: z.string() }),
});
export const ClawMatch = z.object({
  match: z.object({ version: z.string() }).nullable(),
  latestVersion: z.object({ version: z.string() }).nullable(),
});
export const ClawInstall = z.object({
  ok: z.literal(true),
  slug: z.string(),
  installKind: z.literal("archive"),
  archive: z.object({ version: z.string(), downloadUrl: z.string() }),
});
export const ClawVerification = z.looseObject({
  schema: z.literal("clawhub.skill.verify.v1"),
  ok: z.boolean(),
  decision: z.enum(["pass", "fail"]),
  reasons: z.array(z.string()),
  slug: z.string(),
  version: z.string(),
  artifact: JsonObject,
  security: JsonObject,
  signature: JsonObject,
});
export const ClawVerdicts = z.object({
  schema: z.literal("clawhub.skill.security-verdicts.v1"),
  items: z.array(
    z.looseObject({
      requestedSlug: z.string(),
      ok: z.boolean(),
      decision: z.enum(["pass", "fail"]),
      overview: z.string(),
      reasons: z.array(z.string()),
    }),
  ),
});
export const ClawTrending = z.object({ items: z.array(JsonObject) });
export const ClawResults = z.object({ results: z.array(JsonObject) });
export const ClawUser = z.object({
  user: z.object({ handle: z.string(), displayName: z.string(), image: z.null(), role: z.string() }),
});
export const ClawStarred = z.object({ ok: z.literal(true), starred: z.literal(true), alreadyStarred: z.boolean() });
export const ClawUnstarred = z.object({
  ok: z.literal(true),
  unstarred: z.literal(true),
  alreadyUnstarred: z.boolean(),
});
export const ClawUploadUrl = z.object({ uploadUrl: z.string(), uploadTicket: z.string() });
export const ClawUpload = z.object({ storageId: z.string() });
export const ClawPublished = z.object({
  ok: z.literal(true),
  skillId: z.string(),
  versionId: z.string(),
  slug: z.string(),
  version: z.string(),
  status: z.literal("pending"),
  publicationStatus: z.literal("pending"),
});
