import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { updateSchedule } from "@/lib/runner/schedules/edit-schedules";
import { deleteSchedule, getSchedule } from "@/lib/runner/schedules/schedules";
import { Schedule, UpdateScheduleInput } from "@/lib/runner/schedules/schema";

export const GET = route({
  access: "read",
  summary: "One schedule",
  params: IdParams,
  answer: Schedule,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getSchedule(ctx, params.id),
});

export const PATCH = route({
  access: "run",
  summary: "Change, pause or confirm a schedule",
  params: IdParams,
  body: UpdateScheduleInput,
  answer: Schedule,
  ifMatch: ({ ctx, params }) => getSchedule(ctx, params.id),
  handle: ({ ctx, params, body }) => updateSchedule(ctx, params.id, body),
});

export const DELETE = route({
  access: "run",
  summary: "Delete a schedule; its runs stay",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteSchedule(ctx, params.id),
});
