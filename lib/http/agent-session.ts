import { SessionHeader } from "@/lib/agent/schema";
import { implicitAgentSession, requireAgentSession } from "@/lib/agent/sessions/open-agent-session";
import type { Ctx } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";

/** Session that the request's header names, else the implicit one of its token, address and day. */
export function agentSessionOf(ctx: Ctx, request: Request): Promise<AgentSession> {
  const named = request.headers.get(SessionHeader);
  return named === null ? implicitAgentSession(ctx) : requireAgentSession(ctx, named);
}
