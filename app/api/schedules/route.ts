import { route } from "@/lib/http/route";
import { createSchedule } from "@/lib/runner/schedules/edit-schedules";
import { listSchedules } from "@/lib/runner/schedules/schedules";
import { CreateScheduleInput, ListSchedulesQuery, Schedule, SchedulePage } from "@/lib/runner/schedules/schema";

export const GET = route({
  access: "read",
  summary: "List schedules you may see, newest first",
  query: ListSchedulesQuery,
  answer: SchedulePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listSchedules(ctx, query),
});

export const POST = route({
  access: "run",
  summary: "Schedule a skill; confirm once if its runs are mutating",
  body: CreateScheduleInput,
  answer: Schedule,
  status: 201,
  idempotent: true,
  handle: ({ ctx, body }) => createSchedule(ctx, body),
});
