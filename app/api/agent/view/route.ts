import { AgentView, AgentViewQuery } from "@/lib/agent/preamble/schema";
import { viewAgent } from "@/lib/agent/preamble/view-agent";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "What an agent under a persona is served now: preamble, hidden skills and tools",
  query: AgentViewQuery,
  answer: AgentView,
  handle: ({ ctx, query }) => viewAgent(ctx, query),
});
