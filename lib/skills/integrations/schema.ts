import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** A domain is a folder name and part of owner keys and source ids, so that it holds neither slash nor colon. */
export const IntegrationDomain = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be a name of lower-case letters");

const orNothing = (text: string) => (text === "" ? undefined : text);

/** What `<domain>/manifest.yaml` says; other keys are left alone. */
export const IntegrationManifest = z.object({
  name: z.string().trim().max(100).transform(orNothing).optional(),
  description: z.string().trim().max(1000).transform(orNothing).optional(),
  /** As it is written; `1.0` and `1` are two versions. */
  version: z.string("is missing").trim().min(1, "is missing").max(50),
});
export type IntegrationManifest = z.infer<typeof IntegrationManifest>;

/** A skill that was left out, and why, as a sentence. */
export const SkippedSkill = z.object({ name: z.string(), reason: z.string() });
export type SkippedSkill = z.infer<typeof SkippedSkill>;

/** `me`: the caller alone has its skills; `org`: everybody has. */
export const IntegrationScope = z.enum(["me", "org"]);
export type IntegrationScope = z.infer<typeof IntegrationScope>;

export const IntegrationEntry = z.object({
  scope: IntegrationScope,
  /** The manifest’s version whose skills were taken last. */
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
  /** Why it cannot be set up; null when it can. */
  problem: z.string().nullable(),
  /** What its folder holds now. */
  skills: z.array(z.object({ name: z.string(), problem: z.string().nullable() })),
  /** The caller’s own, then the organisation’s. */
  entries: z.array(IntegrationEntry),
});
export type Integration = z.infer<typeof Integration>;

/** `isConfigured`: the server names a directory of integrations. */
export const IntegrationList = z.object({
  isConfigured: z.boolean(),
  items: z.array(Integration),
  nextCursor: z.null(),
});
export type IntegrationList = z.infer<typeof IntegrationList>;

export const SetUpIntegrationInput = z.strictObject({ scope: IntegrationScope });
export type SetUpIntegrationInput = z.infer<typeof SetUpIntegrationInput>;
