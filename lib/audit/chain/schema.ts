import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

export const BrokenEvent = z.object({
  /** The first missing or changed event. */
  seq: z.number().int(),
  problem: z
    .enum(["edited", "missing", "inserted", "reordered", "replaced", "tail_cut", "segment", "heads"])
    .describe("`segment`: a sealed file was changed; `heads`: the file of signed heads is missing or was changed."),
  message: z.string(),
});
export type BrokenEvent = z.infer<typeof BrokenEvent>;

export const AuditVerification = z.object({
  state: z.enum(["running", "done"]),
  /** Null while running. */
  ok: z.boolean().nullable(),
  checked: z.number().int().describe("Events whose hash was recomputed."),
  total: z.number().int().describe("Events at the start, including sealed ones whose file is present."),
  startedAt: IsoTime,
  durationMs: z.number().int(),
  firstBroken: BrokenEvent.nullable(),
  head: z
    .object({ seq: z.number().int(), hash: z.string(), at: IsoTime, keyId: z.string() })
    .nullable()
    .describe("The newest signed head."),
  unsigned: z.number().int().describe("Events after that head. Their removal could not be detected."),
  chainedLater: z.number().int().describe("Events older than the chain. Earlier changes to them cannot be detected."),
  segments: z.object({
    present: z.number().int(),
    absent: z.array(z.object({ fromSeq: z.number().int(), toSeq: z.number().int() })),
  }),
});
export type AuditVerification = z.infer<typeof AuditVerification>;
