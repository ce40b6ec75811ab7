import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";
import { runSchedule } from "@/lib/runner/schedules/start-due-schedules";
import { Run } from "@/lib/runner/schema";

export const POST = route({
  access: "run",
  summary: "Run a schedule now",
  params: IdParams,
  answer: Run,
  status: 201,
  idempotent: true,
  handle: ({ ctx, params }) => runSchedule(ctx, params.id),
});
