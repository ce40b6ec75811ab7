import { z } from "zod";
import { IsoTime } from "@/lib/core/schema";

export const Job = z.object({
  name: z.string(),
  title: z.string(),
  everySeconds: z.number().int(),
  running: z.boolean(),
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

/** `leader`: the process that executes the jobs now, and until when it holds the lead. */
export const JobList = z.object({
  items: z.array(Job),
  nextCursor: z.null(),
  leader: z.object({ holder: z.string(), until: IsoTime, isThisProcess: z.boolean() }).nullable(),
});
export type JobList = z.infer<typeof JobList>;
