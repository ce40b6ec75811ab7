import { getAgentSession } from "@/lib/agent/sessions/agent-sessions";
import { AgentSessionTrace, GetAgentSessionQuery } from "@/lib/agent/sessions/schema";
import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "A session of an agent with its steps, newest first",
  params: IdParams,
  query: GetAgentSessionQuery,
  answer: AgentSessionTrace,
  answersFrom: "rows",
  handle: ({ ctx, params, query }) => getAgentSession(ctx, { id: params.id, query }),
});
