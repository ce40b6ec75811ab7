import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** A skill that its owner advises against taking into use. It keeps serving. */
export const Deprecation = z.object({
  at: IsoTime,
  reason: z.string(),
  /** What to use instead; null when there is nothing, or nothing that the caller sees. */
  replacedBy: z.object({ id: z.string(), name: z.string(), label: z.string().nullable() }).nullable(),
});
export type Deprecation = z.infer<typeof Deprecation>;

export const DeprecateInput = z.strictObject({
  reason: z.string().trim().min(1).max(500),
  replacedBy: z.string().max(100).optional().describe("Id or name of the skill to use instead."),
});
export type DeprecateInput = z.infer<typeof DeprecateInput>;
