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

/** A session that was not heard of for so long limits nobody who does not name it. */
const LIVE_MS = 60 * 60_000;
const MAX_SESSIONS = 50;

/**
 * Whether the active skill of a session lets the agent call a tool, also one that is not ours: for hooks of agents. Without a
 * session, those of the token that were seen within an hour are asked, and all of them have to allow it: a hook is a
 * process of its own and does not know which of them it speaks for. What is denied stands in the trace and in the audit.
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
      lastSeenAt: { gte: new Date(ctx.now().getTime() - LIVE_MS) },
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
  const sentence = `The skill${skill ? ` “${skill.name}”` : ""} that is active does not let ${tool} be called. ${reason}`;
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
