import { z } from "zod";
import { TraceDetail } from "@/lib/agent/traces/schema";
import { getTrace } from "@/lib/agent/traces/traces";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One use of a skill with its input and result",
  params: z.object({ id: z.string() }),
  answer: TraceDetail,
  answersFrom: "rows",
  handle: ({ ctx, params }) => getTrace(ctx, params.id),
});
