import { z } from "zod";
import { IsoTime, lineOfText, PageQuery, pageOf } from "@/lib/core/schema";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { RunState } from "../schema";

/** How to start a due run while an earlier run of the schedule has not ended. */
export const Overlap = z.enum(["skip", "queue", "cancel_previous"]);
export type Overlap = z.infer<typeof Overlap>;

const Named = z.object({ id: z.string(), name: z.string() });

export const Schedule = z.object({
  id: z.string(),
  name: z.string(),
  skill: z
    .object({ id: z.string(), name: z.string(), label: z.string().nullable(), class: SkillClass })
    .nullable()
    .describe("Null once the skill is deleted."),
  args: JsonObject,
  cron: z.string(),
  timeZone: z.string(),
  overlap: Overlap,
  catchUp: z.boolean().describe("Whether one run makes up for times that were missed while the server was down."),
  worker: Named.nullable(),
  enabled: z.boolean(),
  stopReason: z.string().nullable().describe("Why the server switched it off; null if a person did or it is on."),
  owner: Named,
  token: Named.nullable().describe("The token that created it; the schedule ends with it."),
  createdBy: z.string().describe("Id of the person who created it."),
  needsConfirmation: z.boolean().describe("Its runs change things, and its owner has not confirmed this version."),
  nextAt: IsoTime.nullable(),
  next: z.array(IsoTime).describe("The next five times; none while it is switched off."),
  lastAt: IsoTime.nullable(),
  lastRun: z.object({ id: z.string(), state: RunState }).nullable(),
  lastOutcome: z.string().nullable(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  you: z.object({
    mayChange: z.boolean(),
    mayStop: z.boolean().describe("Switch it off, or delete it."),
  }),
});
export type Schedule = z.infer<typeof Schedule>;
export const SchedulePage = pageOf(Schedule);

const cron = z.string().trim().max(200).describe("Five fields: minute, hour, day of month, month, day of week.");
const timeZone = z.string().trim().max(100).describe("An IANA name such as `Europe/Berlin`.");
const name = lineOfText(100);
const workerId = z.string().min(1).max(100).nullable().describe("Id or name of the worker that runs it.");
const confirm = z.literal(true).optional().describe("Confirms all runs of a skill that changes things.");

export const CreateScheduleInput = z.strictObject({
  name,
  skill: z.string().min(1).max(200).describe("Id or name of a skill."),
  args: JsonObject.default({}),
  cron,
  timeZone: timeZone.default("UTC"),
  overlap: Overlap.default("skip"),
  catchUp: z.boolean().default(false),
  workerId: workerId.default(null),
  enabled: z.boolean().default(true),
  confirm,
});
export type CreateScheduleInput = z.infer<typeof CreateScheduleInput>;

export const UpdateScheduleInput = z.strictObject({
  name: name.optional(),
  args: JsonObject.optional(),
  cron: cron.optional(),
  timeZone: timeZone.optional(),
  overlap: Overlap.optional(),
  catchUp: z.boolean().optional(),
  workerId: workerId.optional(),
  enabled: z.boolean().optional(),
  confirm,
});
export type UpdateScheduleInput = z.infer<typeof UpdateScheduleInput>;

export const ListSchedulesQuery = PageQuery.extend({
  skill: z.string().max(200).optional().describe("Id or name of a skill."),
});
export type ListSchedulesQuery = z.infer<typeof ListSchedulesQuery>;

export const PreviewScheduleQuery = z.object({ cron, timeZone: timeZone.default("UTC") });
export type PreviewScheduleQuery = z.infer<typeof PreviewScheduleQuery>;

export const SchedulePreview = z.object({ cron: z.string(), timeZone: z.string(), next: z.array(IsoTime) });
export type SchedulePreview = z.infer<typeof SchedulePreview>;
