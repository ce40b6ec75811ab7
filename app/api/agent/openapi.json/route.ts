import { describeRuns } from "@/lib/agent/describe-tools";
import { getEnv } from "@/lib/core/env";
import { route } from "@/lib/http/route";
import { JsonObject } from "@/lib/skill-format/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "OpenAPI 3.1 description of the skills that the calling agent may run, with their arguments",
  answer: JsonObject,
  handle: ({ ctx }) => describeRuns(ctx, getEnv().publicUrl),
});
