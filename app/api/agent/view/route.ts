import { AgentView, AgentViewQuery } from "@/lib/agent/preamble/schema";
import { viewAgent } from "@/lib/agent/preamble/view-agent";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Current view of an agent with a persona: preamble, hidden skills and tools",
  query: AgentViewQuery,
  answer: AgentView,
  answersFrom: "rows",
  handle: ({ ctx, query }) => viewAgent(ctx, query),
});
