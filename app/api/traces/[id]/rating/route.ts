import { z } from "zod";
import { RateTraceInput, TraceDetail } from "@/lib/agent/traces/schema";
import { rateTrace } from "@/lib/agent/traces/traces";
import { route } from "@/lib/http/route";

export const PUT = route({
  access: "run",
  summary: "Rate a use of a skill; 0 removes the rating",
  params: z.object({ id: z.string() }),
  body: RateTraceInput,
  answer: TraceDetail,
  handle: ({ ctx, params, body }) => rateTrace(ctx, params.id, body.rating),
});
