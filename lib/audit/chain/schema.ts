import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

export const BrokenEvent = z.object({
  /** The first event that is not as it was written, or is not there. */
  seq: z.number().int(),
  problem: z
    .enum(["edited", "missing", "inserted", "reordered", "replaced", "tail_cut", "segment", "heads"])
    .describe("`segment`: a sealed file is not what was sealed; `heads`: the second file is missing or was changed."),
  message: z.string(),
});
export type BrokenEvent = z.infer<typeof BrokenEvent>;

/** What a verification of the whole chain found, or how far it is. */
export const AuditVerification = z.object({
  state: z.enum(["running", "done"]),
  /** Null while it runs. */
  ok: z.boolean().nullable(),
  checked: z.number().int().describe("Events whose hash was computed again."),
  total: z.number().int().describe("Events there were when it began, the sealed ones whose file is here counted."),
  startedAt: IsoTime,
  durationMs: z.number().int(),
  firstBroken: BrokenEvent.nullable(),
  head: z
    .object({ seq: z.number().int(), hash: z.string(), at: IsoTime, keyId: z.string() })
    .nullable()
    .describe("The newest signed head of the second file."),
  unsigned: z.number().int().describe("Events after that head: cutting these off would not be seen."),
  chainedLater: z.number().int().describe("Events that were there before the chain began; it says nothing of before."),
  segments: z.object({
    present: z.number().int(),
    absent: z.array(z.object({ fromSeq: z.number().int(), toSeq: z.number().int() })),
  }),
});
export type AuditVerification = z.infer<typeof AuditVerification>;
