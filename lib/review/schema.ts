import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
import { Grants } from "@/lib/policy/grants/schema";
import { EntryProposal, ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { SkillClass } from "@/lib/skill-format/schema";
import { SkillOwner } from "@/lib/skills/schema";
import { FindingSeverity, VersionDecision, VersionFile, VersionState } from "@/lib/skills/versions/schema";
import { ExportedAnalysis } from "./analysis/schema";

const Digest = z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hex digits");

export const DecideVersionInput = z.strictObject({
  decision: z.enum(["approve", "request_changes", "reject", "revoke"]),
  comment: z.string().trim().max(4000).default(""),
  class: SkillClass.optional(),
  grants: Grants.optional(),
  entry: ScriptEntry.nullish().describe(
    "Approvals only: the script that runs start, and how to call it. For versions whose files declare no entry.",
  ),
  expects: z
    .enum(["pending", "approved"])
    .optional()
    .describe("The state in which the caller saw the version. The answer is a conflict if it has changed."),
  activate: Digest.optional().describe(
    "With `revoke` of the active version: the approved version that becomes active in the same transaction. An enabled skill stays enabled. Nothing is revoked if that version cannot become active.",
  ),
});
export type DecideVersionInput = z.infer<typeof DecideVersionInput>;

export const ActivateVersionInput = z.strictObject({
  comment: z.string().trim().max(4000).default(""),
  expects: Digest.nullish().describe(
    "Digest of the active version that the caller saw, null for none. The answer is a conflict if it has changed.",
  ),
});
export type ActivateVersionInput = z.infer<typeof ActivateVersionInput>;

export const ReviewItem = z.object({
  skill: z.object({ id: z.string(), name: z.string(), label: z.string().nullable(), description: z.string() }),
  digest: z.string(),
  number: z.number().int(),
  state: VersionState,
  class: SkillClass,
  kind: z.enum(["playbook", "pack", "pipeline"]),
  submittedAt: IsoTime,
  submittedBy: z.object({ id: z.string(), name: z.string() }),
  files: z.number().int(),
  bytes: z.number().int(),
  allowedTools: z.array(z.string()).nullable(),
  diagnostics: z.number().int(),
  approvals: z.object({ given: z.number().int(), needed: z.number().int() }),
  /** True when an approved version stays active meanwhile. */
  isUpdate: z.boolean(),
  /** `decision`: pending. `terms`: active, other terms need signatures. `new_findings`: active, with open findings. */
  reason: z.enum(["decision", "terms", "new_findings"]),
  /** Why an approved version was returned to review, as a sentence; null for all others. */
  returnedReason: z.string().nullable(),
  owner: SkillOwner,
  ageSeconds: z.number().int().nonnegative(),
  /** Compared with the approved version; lines of text files only. */
  change: z.object({
    filesAdded: z.number().int(),
    filesRemoved: z.number().int(),
    filesChanged: z.number().int(),
    linesAdded: z.number().int(),
    linesRemoved: z.number().int(),
  }),
  scan: z.enum(["complete", "incomplete", "pending"]),
  severities: z.record(FindingSeverity, z.number().int()),
});
export type ReviewItem = z.infer<typeof ReviewItem>;
export const ReviewPage = pageOf(ReviewItem);
export const ListReviewsQuery = PageQuery;

export const ListDecidedQuery = PageQuery.extend({
  decision: VersionDecision.shape.decision.optional(),
  by: z.string().max(64).optional().describe("Id of the person who decided."),
});
export type ListDecidedQuery = z.infer<typeof ListDecidedQuery>;

const PersonRef = z.object({ id: z.string(), name: z.string() });
export const DecidedReview = VersionDecision.pick({
  id: true,
  decision: true,
  comment: true,
  class: true,
  soloMode: true,
}).extend({
  skill: z.object({ id: z.string(), name: z.string(), label: z.string().nullable() }),
  digest: z.string(),
  number: z.number().int(),
  state: VersionState.describe("State of the version now."),
  by: PersonRef,
  at: IsoTime,
});
export type DecidedReview = z.infer<typeof DecidedReview>;
export const DecidedPage = pageOf(DecidedReview).extend({
  people: z.array(PersonRef).describe("Everyone who made a decision of the whole list, for a filter."),
});
export type DecidedPage = z.infer<typeof DecidedPage>;

export const DismissFindingInput = z.strictObject({
  reason: z.string().trim().min(3, "Enter a reason of at least 3 characters.").max(2000),
  until: IsoTime.optional().describe(
    "Accepts the finding as known in every version of the skill until this time, at most a year from now. It is open again afterwards, and as soon as its lines change. Without it, the finding is dismissed in this version only.",
  ),
});
export type DismissFindingInput = z.infer<typeof DismissFindingInput>;

export const EntryProposalList = z.object({
  items: z.array(
    EntryProposal.extend({
      interpreter: z
        .array(z.string())
        .nullable()
        .describe(
          "The command that starts the script, before its path; null when unknown, so that the script cannot be made runnable.",
        ),
    }),
  ),
  nextCursor: z.null(),
});
export type EntryProposalList = z.infer<typeof EntryProposalList>;

export const ReviewKey = z.object({
  /** SHA-256 of the public key's DER form (SPKI), in hex. */
  keyId: z.string(),
  algorithm: z.literal("ed25519"),
  publicKey: z.string(),
  createdAt: IsoTime,
  /** Whether the server signs with this key. Approvals signed with another key do not verify. */
  isCurrent: z.boolean(),
});
export type ReviewKey = z.infer<typeof ReviewKey>;
export const ReviewKeyList = z.object({ items: z.array(ReviewKey), nextCursor: z.null() });

/** Everything needed to verify an approval offline: `npm run verify-approval -- FILE`. */
export const ApprovalBundle = z.object({
  format: z.literal("skillgate-approval-bundle/1"),
  skill: z.object({ id: z.string(), name: z.string() }),
  versionDigest: z.string(),
  files: z.array(VersionFile.pick({ path: true, mode: true, sha256: true, size: true })),
  subjectJson: z.string(),
  subject: z.string(),
  signatures: z.array(
    z.object({
      /** Canonical JSON, exactly as signed: subject, signer, time, signatures needed. */
      statement: z.string(),
      signature: z.string(),
      keyId: z.string(),
    }),
  ),
  keys: z.array(ReviewKey.pick({ keyId: true, publicKey: true })),
  /** The newest finished dry runs of these bytes. Not signed; the audit events have their digests. Reviewers get the reports too. */
  analyses: z.array(ExportedAnalysis.partial({ reportJson: true })).optional(),
  exportedAt: IsoTime,
});
export type ApprovalBundle = z.infer<typeof ApprovalBundle>;
