import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** One backup: a folder, complete since it has this name. */
export const Backup = z.object({
  name: z.string(),
  at: IsoTime,
  bytes: z.number().int(),
  /** It was checked when it was made, its audit held, and its files still have their sizes. */
  verified: z.boolean(),
  /** What keeps it from being verified. */
  problem: z.string().nullable(),
  /** Number of the newest audit event in it. */
  auditSeq: z.number().int(),
  path: z.string(),
});
export type Backup = z.infer<typeof Backup>;

export const BackupList = z.object({
  /** Newest first. */
  backups: z.array(Backup),
  /** Null once a later one was made. */
  lastFailure: z.object({ at: IsoTime, reason: z.string() }).nullable(),
  /** `everyHours` 0: none are made by themselves. */
  schedule: z.object({
    everyHours: z.number().int(),
    keep: z.number().int(),
    folder: z.string(),
    nextAt: IsoTime.nullable(),
  }),
  /** Whether one is being made. */
  running: z.boolean(),
});
export type BackupList = z.infer<typeof BackupList>;
