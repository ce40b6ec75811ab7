import { z } from "zod";
import { rateTrace } from "@/lib/agent/traces/rate-trace";
import { RateTraceInput, TraceDetail } from "@/lib/agent/traces/schema";
import { route } from "@/lib/http/route";

export const PUT = route({
  access: "run",
  summary: "Rate a use of a skill; 0 removes the rating",
  params: z.object({ id: z.string() }),
  body: RateTraceInput,
  answer: TraceDetail,
  handle: ({ ctx, params, body }) => rateTrace(ctx, params.id, body.rating),
});
