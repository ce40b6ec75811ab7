import { z } from "zod";
import { CatalogNote } from "@/lib/catalog/schema";
import { IsoTime, pageOf } from "@/lib/core/schema";
import { Diagnostic } from "@/lib/skill-format/schema";
import { FileDiff } from "@/lib/skills/versions/schema";

export const UpdateItem = z.object({
  skillId: z.string(),
  skillName: z.string(),
  slug: z.string(),
  entryId: z.string().nullable(),
  sourceId: z.string().nullable(),
  sourceLabel: z.string().nullable(),
  repository: z.string(),
  ref: z.string(),
  folder: z.string(),
  /** available: not requested yet; pending: waits for review; removed: deleted upstream. */
  state: z.enum(["available", "pending", "removed"]),
  from: z.object({ commit: z.string(), treeSha: z.string(), digest: z.string() }),
  to: z.object({ commit: z.string(), treeSha: z.string() }).nullable(),
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "removed", "changed"]) })),
  blocked: CatalogNote.nullable(),
  changedAt: IsoTime,
});
export type UpdateItem = z.infer<typeof UpdateItem>;

export const UpdatePage = pageOf(UpdateItem);

export const UpdatePreview = z.object({
  skillId: z.string(),
  against: z.string().describe("digest of the version that was installed last"),
  commit: z.string(),
  treeSha: z.string(),
  files: z.array(FileDiff),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  notes: z.array(Diagnostic),
});
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const BulkUpdateInput = z.strictObject({ skillIds: z.array(z.string()).min(1).max(100) });
export type BulkUpdateInput = z.infer<typeof BulkUpdateInput>;

export const BulkUpdateAnswer = z.object({
  updated: z.array(z.object({ skillId: z.string(), digest: z.string() })),
  failed: z.array(z.object({ skillId: z.string(), code: z.string(), message: z.string() })),
});
export type BulkUpdateAnswer = z.infer<typeof BulkUpdateAnswer>;
