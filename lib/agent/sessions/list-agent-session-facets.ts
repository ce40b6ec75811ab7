import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { sessionsVisibleTo } from "./agent-sessions";
import type { AgentSessionFacets } from "./schema";

const MAX_VALUES = 200;

type Key = "personaId" | "tokenId" | "userId" | "client";
type Found = { key: string; sessions: number; lastSeenAt: string };

/** Personas, tokens, people and clients in the sessions that the caller may see: at most 200 of each, last seen first. */
export async function listAgentSessionFacets(ctx: Ctx): Promise<AgentSessionFacets> {
  const where = sessionsVisibleTo(requireScope(ctx.actor, "read"));
  const [personas, tokens] = [await countBy(ctx, "personaId", where), await countBy(ctx, "tokenId", where)];
  const [people, clients] = [await countBy(ctx, "userId", where), await countBy(ctx, "client", where)];
  return {
    personas: named(personas, await ctx.db.persona.findMany(byId(personas))),
    tokens: named(tokens, await ctx.db.apiToken.findMany(byId(tokens))),
    people: named(people, await ctx.db.user.findMany(byId(people))),
    clients: clients.map(({ key, ...seen }) => ({ client: key, ...seen })),
  };
}

async function countBy(ctx: Ctx, key: Key, where: Prisma.AgentSessionWhereInput): Promise<Found[]> {
  const rows = await ctx.db.agentSession.groupBy({
    by: [key],
    where,
    _count: { _all: true },
    _max: { lastSeenAt: true },
    orderBy: { _max: { lastSeenAt: "desc" } },
    take: MAX_VALUES,
  });
  return rows.flatMap((row) => {
    const value = row[key];
    const at = row._max.lastSeenAt;
    return typeof value !== "string" || at === null
      ? []
      : { key: value, sessions: row._count._all, lastSeenAt: at.toISOString() };
  });
}

function byId(found: Found[]) {
  return { where: { id: { in: found.map(({ key }) => key) } }, select: { id: true, name: true } };
}

function named(found: Found[], rows: { id: string; name: string }[]) {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return found.map(({ key, ...seen }) => ({ id: key, name: names.get(key) ?? null, ...seen }));
}
