import { route } from "@/lib/http/route";
import { previewSchedule } from "@/lib/runner/schedules/schedules";
import { PreviewScheduleQuery, SchedulePreview } from "@/lib/runner/schedules/schema";

export const GET = route({
  access: "read",
  summary: "Next five times of a cron expression, or its error",
  query: PreviewScheduleQuery,
  answer: SchedulePreview,
  handle: ({ ctx, query }) => previewSchedule(ctx, query),
});
