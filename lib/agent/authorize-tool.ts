import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { AgentSession } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { decideTool, type ToolDecision } from "@/lib/policy/tool-limit/decide-tool";
import { BUILT_IN_TOOLS } from "./built-in-tools";
import { offeredTools } from "./list-tools";
import type { Authorization, AuthorizeToolInput } from "./schema";
import { requireAgentSession } from "./sessions/open-agent-session";
import { recordStep } from "./sessions/record-step";
import { readToolLimit } from "./sessions/session-limits";

/** Requests without a session id consider sessions that were active within this time. */
const ACTIVE_MS = 60 * 60_000;
const MAX_SESSIONS = 50;

/**
 * Whether the active skill of a session allows a tool call, also of a tool that is not Skillgate's: for hooks of agents. A hook
 * is a separate process that may not know its session. Without a session id, all sessions of the token with an active skill
 * that were seen within an hour must allow the tool. Denials are recorded in the trace and the audit log.
 */
export async function authorizeTool(ctx: Ctx, asked: AuthorizeToolInput): Promise<Authorization> {
  requireScope(ctx.actor, "read");
  const sessions =
    asked.session === undefined ? await liveSessions(ctx) : [await requireAgentSession(ctx, asked.session)];
  const { tools } = await offeredTools(ctx);
  const decide = async (session: AgentSession | null): Promise<ToolDecision> =>
    decideTool({
      tool: asked.tool,
      input: asked.input ?? null,
      cwd: asked.cwd ?? null,
      ...(session === null ? { limit: null, denied: [] } : await readToolLimit(ctx, session)),
      server: asked.server,
      builtInTools: Object.keys(BUILT_IN_TOOLS),
      skillTools: tools.map(({ name }) => name),
    });
  for (const session of sessions) {
    const { allowed, reason } = await decide(session);
    if (!allowed) return deny(ctx, session, { tool: asked.tool, reason });
  }
  const [session = null] = sessions;
  const { reason } = await decide(session);
  return {
    decision: "allow",
    reason,
    skill: session && (await activeSkill(ctx, session)),
    session: session?.id ?? null,
  };
}

async function liveSessions(ctx: Ctx): Promise<AgentSession[]> {
  const actor = requireScope(ctx.actor, "read");
  return ctx.db.agentSession.findMany({
    where: {
      tokenId: actor.kind === "token" ? actor.tokenId : null,
      userId: actor.userId,
      endedAt: null,
      lastSeenAt: { gte: new Date(ctx.now().getTime() - ACTIVE_MS) },
      activeSkillId: { not: null },
    },
    orderBy: { lastSeenAt: "desc" },
    take: MAX_SESSIONS,
  });
}

async function activeSkill(ctx: Ctx, { activeSkillId }: AgentSession): Promise<{ id: string; name: string } | null> {
  if (activeSkillId === null) return null;
  return ctx.db.skill.findUnique({ where: { id: activeSkillId }, select: { id: true, name: true } });
}

type Denied = { tool: string; reason: string };

async function deny(ctx: Ctx, session: AgentSession, { tool, reason }: Denied): Promise<Authorization> {
  const skill = await activeSkill(ctx, session);
  const sentence = `The active skill${skill ? ` “${skill.name}”` : ""} does not allow ${tool}. ${reason}`;
  const within = { ...ctx, request: { ...ctx.request, agentSessionId: session.id } };
  await inTransaction(within, async (tx, txCtx) => {
    const { activeSkillId: skillId, activeVersionDigest: versionDigest } = session;
    const step = { sessionId: session.id, kind: "refused", outcome: "refused", tool, skillId, versionDigest } as const;
    await recordStep(tx, txCtx, { ...step, detail: sentence });
    await recordEvent(tx, txCtx, {
      action: "agent.refuse",
      outcome: "refused",
      summary: `was refused the tool ${tool} (allowed-tools)`,
      target: { kind: "agent-session", id: session.id, name: session.client },
      ...(skillId === null ? {} : { skillId }),
      ...(versionDigest === null ? {} : { versionDigest }),
      tool,
      decision: "refuse",
      rule: "allowed-tools",
      data: { rule: "allowed-tools", detail: sentence },
    });
  });
  return { decision: "deny", reason: sentence, skill, session: session.id };
}
