import { OpenSessionInput } from "@/lib/agent/schema";
import { listAgentSessions } from "@/lib/agent/sessions/agent-sessions";
import { openAgentSession } from "@/lib/agent/sessions/open-agent-session";
import { AgentSessionPage, ListAgentSessionsQuery, OpenedSession } from "@/lib/agent/sessions/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List agent sessions, newest first: your own, or all for admins",
  query: ListAgentSessionsQuery,
  answer: AgentSessionPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listAgentSessions(ctx, query),
});

export const POST = route({
  access: "read",
  agents: "open",
  summary: "Open an agent session; later requests name it in the header X-Agent-Session",
  body: OpenSessionInput,
  answer: OpenedSession,
  status: 201,
  handle: async ({ ctx, body }) => {
    const { id, client, startedAt } = await openAgentSession(ctx, body);
    return { id, client, startedAt: startedAt.toISOString() };
  },
});
