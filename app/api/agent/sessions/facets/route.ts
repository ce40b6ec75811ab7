import { listAgentSessionFacets } from "@/lib/agent/sessions/agent-sessions";
import { AgentSessionFacets } from "@/lib/agent/sessions/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Personas, tokens, people and clients of the sessions you may see",
  answer: AgentSessionFacets,
  answersFrom: "rows",
  handle: ({ ctx }) => listAgentSessionFacets(ctx),
});
