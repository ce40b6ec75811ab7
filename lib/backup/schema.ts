import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** A backup: a folder that is complete once it has this name. */
export const Backup = z.object({
  name: z.string(),
  at: IsoTime,
  bytes: z.number().int(),
  /** Verified when it was made, with a valid audit, and all files still have their sizes. */
  verified: z.boolean(),
  problem: z.string().nullable(),
  auditSeq: z.number().int(),
  path: z.string(),
});
export type Backup = z.infer<typeof Backup>;

export const BackupList = z.object({
  backups: z.array(Backup),
  lastFailure: z.object({ at: IsoTime, reason: z.string() }).nullable(),
  /** `everyHours` 0: no scheduled backups. */
  schedule: z.object({
    everyHours: z.number().int(),
    keep: z.number().int(),
    folder: z.string(),
    nextAt: IsoTime.nullable(),
  }),
  running: z.boolean(),
  progress: z
    .object({ bytes: z.number().int(), atMost: z.number().int() })
    .nullable()
    .describe("Bytes that the running backup has copied, and how many it copies at most. Then it is verified."),
});
export type BackupList = z.infer<typeof BackupList>;
