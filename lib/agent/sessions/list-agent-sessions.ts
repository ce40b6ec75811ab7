import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { presentAgentSessions } from "./present-agent-sessions";
import type { AgentSessionItem, ListAgentSessionsQuery } from "./schema";
import { sessionsVisibleTo } from "./sessions-visible-to";

/** Sessions of agents, the one that began last first: one’s own, or all for admins. */
export async function listAgentSessions(ctx: Ctx, query: ListAgentSessionsQuery): Promise<Page<AgentSessionItem>> {
  const actor = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.agentSession.findMany({
    where: {
      AND: [
        sessionsVisibleTo(actor),
        query.persona ? { personaId: query.persona } : {},
        query.token ? { tokenId: query.token } : {},
        query.user ? { userId: query.user } : {},
        query.client ? { client: query.client } : {},
        query.from ? { lastSeenAt: { gte: new Date(query.from) } } : {},
        query.to ? { startedAt: { lte: new Date(query.to) } } : {},
        before === null ? {} : { id: { lt: before } },
      ],
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, query.limit, (row) => row.id);
  return { items: await presentAgentSessions(ctx, items), nextCursor };
}
