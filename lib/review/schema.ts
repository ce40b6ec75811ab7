import { z } from "zod";
import { IsoTime, PageQuery, pageOf } from "@/lib/core/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { Grants, VersionState } from "@/lib/skills/schema";

export const DecideVersionInput = z.strictObject({
  decision: z.enum(["approve", "request_changes", "reject", "revoke"]),
  comment: z.string().trim().max(4000).default(""),
  class: SkillClass.optional(),
  grants: Grants.optional(),
});
export type DecideVersionInput = z.infer<typeof DecideVersionInput>;

/** A version that waits for the caller's decision. */
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
  /** Approvals given and needed; a dangerous version needs two people. */
  approvals: z.object({ given: z.number().int(), needed: z.number().int() }),
  /** True when an approved version keeps serving meanwhile. */
  isUpdate: z.boolean(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;
export const ReviewPage = pageOf(ReviewItem);
export const ListReviewsQuery = PageQuery;
