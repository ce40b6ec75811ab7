import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { VersionState } from "@/lib/skills/versions/schema";

export const ForeignInstance = z.object({
  keyId: z
    .string()
    .describe("SHA-256 of its public key (DER, SPKI), in hex. Compare it with `GET /api/review-keys` there."),
  name: z.string().describe("As it names itself in its newest bundle; another instance may use the same name."),
  publicKey: z.string(),
  firstSeenAt: IsoTime,
  lastExportAt: IsoTime,
  versions: z.number().int().describe("How many versions here it has decided on."),
  counting: z.number().int().describe("How many versions here are approved because of it."),
  trusted: z.object({ by: z.object({ id: z.string(), name: z.string() }), at: IsoTime }).nullable(),
});
export type ForeignInstance = z.infer<typeof ForeignInstance>;
export const ForeignInstanceList = z.object({ items: z.array(ForeignInstance), nextCursor: z.null() });
export type ForeignInstanceList = z.infer<typeof ForeignInstanceList>;

export const TrustInstanceInput = z.strictObject({
  trusted: z
    .boolean()
    .describe(
      "Whether approvals of this instance count as the approval of safe skills inside the plain sandbox. When withdrawn, the versions that it approved return to review.",
    ),
});
export type TrustInstanceInput = z.infer<typeof TrustInstanceInput>;

const ForeignDecision = z.object({
  id: z.string(),
  decision: z.enum(["approve", "request_changes", "reject", "revoke", "activate"]),
  comment: z.string(),
  by: z.string().describe("Name of the person there."),
  at: IsoTime,
  class: SkillClass.nullable(),
  soloMode: z.boolean(),
  standing: z.enum(["open", "counts", "void"]).nullable(),
  signed: z.boolean().describe("Whether its signature was verified with the key of that instance."),
});

/** What another instance decided about the same bytes. */
export const ForeignReview = z.object({
  instance: z.object({ keyId: z.string(), name: z.string(), trusted: z.boolean() }),
  bundle: z.object({
    digest: z.string(),
    exportedAt: IsoTime,
    exportedBy: z.string(),
    importedAt: IsoTime,
    importedBy: z.object({ id: z.string(), name: z.string() }),
  }),
  state: VersionState.describe("State of the version there, at the export."),
  active: z.boolean().describe("Whether it was the active version there."),
  class: SkillClass.nullable(),
  grants: Grants.nullable(),
  decisions: z.array(ForeignDecision),
  analyses: z.array(
    z.object({
      id: z.string(),
      finishedAt: IsoTime,
      worker: z.string(),
      requestedBy: z.string(),
      hostile: z.boolean(),
    }),
  ),
  counts: z.boolean().describe("Whether this version is approved here because of it."),
  whyNot: z.string().nullable().describe("Why it does not count here, as a sentence; null when it counts."),
});
export type ForeignReview = z.infer<typeof ForeignReview>;
export const ForeignReviewList = z.object({ items: z.array(ForeignReview), nextCursor: z.null() });
export type ForeignReviewList = z.infer<typeof ForeignReviewList>;
