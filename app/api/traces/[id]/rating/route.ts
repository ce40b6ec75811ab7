import { z } from "zod";
import { rateTrace } from "@/lib/agent/traces/rate-trace";
import { RateTraceInput, TraceDetail } from "@/lib/agent/traces/schema";
import { route } from "@/lib/http/route";

export const PUT = route({
  access: "run",
  summary: "Say whether a use of a skill was of use; 0 takes it back",
  params: z.object({ id: z.string() }),
  body: RateTraceInput,
  answer: TraceDetail,
  handle: ({ ctx, params, body }) => rateTrace(ctx, params.id, body.rating),
});
