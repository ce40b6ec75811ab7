import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

/** A job of the background work and how its last run went. */
export const Job = z.object({
  name: z.string(),
  title: z.string(),
  everySeconds: z.number().int(),
  running: z.boolean(),
  /** Null until it ran for the first time. */
  last: z
    .object({
      startedAt: IsoTime,
      finishedAt: IsoTime.nullable(),
      durationMs: z.number().int().nullable(),
      outcome: z.enum(["ok", "failed"]).nullable(),
      summary: z.string().nullable(),
    })
    .nullable(),
  nextAt: IsoTime,
  /** How long it is overdue; 0 while it runs. */
  lateSeconds: z.number(),
});
export type Job = z.infer<typeof Job>;

/** `leader`: the process that does the background work now, and until when it has said so. */
export const JobList = z.object({
  items: z.array(Job),
  nextCursor: z.null(),
  leader: z.object({ holder: z.string(), until: IsoTime, isThisProcess: z.boolean() }).nullable(),
});
export type JobList = z.infer<typeof JobList>;
