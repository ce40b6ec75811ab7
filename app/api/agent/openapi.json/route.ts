import { describeRuns } from "@/lib/agent/describe-tools";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "OpenAPI 3.1 of the runs of the skills the caller’s agent may run, each with its own arguments",
  answer: JsonObject,
  handle: ({ ctx }) => describeRuns(ctx, getEnv().publicUrl),
});
