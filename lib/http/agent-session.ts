import { SessionHeader } from "@/lib/agent/schema";
import { implicitAgentSession, requireAgentSession } from "@/lib/agent/sessions/open-agent-session";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";

/** The agent session that a request names by its header, else the one of its token, address and day. */
export function agentSessionOf(ctx: Ctx, request: Request): Promise<AgentSession> {
  const named = request.headers.get(SessionHeader);
  return named === null ? implicitAgentSession(ctx) : requireAgentSession(ctx, named);
}
