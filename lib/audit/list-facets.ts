import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { eventsVisibleTo } from "./list-events";
import type { AuditFacets } from "./schema";

const MOST = 200;

/** Which actors, actions and tools occur in the events the caller may see, at most 200 of each. */
export async function listAuditFacets(ctx: Ctx): Promise<AuditFacets> {
  const where = eventsVisibleTo(requireScope(ctx.actor, "read"));
  const actors = await ctx.db.auditEvent.groupBy({
    by: ["actorId", "actorName"],
    where,
    orderBy: { actorName: "asc" },
    take: MOST,
  });
  const actions = await ctx.db.auditEvent.groupBy({ by: ["action"], where, orderBy: { action: "asc" }, take: MOST });
  const tools = await ctx.db.auditEvent.groupBy({
    by: ["tool"],
    where: { ...where, tool: { not: null } },
    orderBy: { tool: "asc" },
    take: MOST,
  });
  return {
    actors: actors.map(({ actorId, actorName }) => ({ id: actorId ?? actorName, name: actorName })),
    actions: actions.map(({ action }) => action),
    tools: tools.flatMap(({ tool }) => tool ?? []),
  };
}
