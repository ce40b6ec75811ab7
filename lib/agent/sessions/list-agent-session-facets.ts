import { readComposed } from "@/lib/db/composed-sql";
import type { Ctx } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { visibleSessions } from "./agent-sessions";
import { readNames } from "./read-names";
import type { AgentSessionFacets } from "./schema";

const MAX_VALUES = 200;
const KEYS = ["personaId", "tokenId", "userId", "client"] as const;

type Found = { key: string; sessions: number; lastSeenAt: Date };

/** Personas, tokens, people and clients in the sessions that the caller may see: at most 200 of each, last seen first. */
export async function listAgentSessionFacets(ctx: Ctx): Promise<AgentSessionFacets> {
  const where = visibleSessions(requireScope(ctx.actor, "read"));
  const [personas = [], tokens = [], people = [], clients = []] = await Promise.all(
    KEYS.map((key) => countBy(ctx, key, where)),
  );
  const names = await readNames(
    ctx,
    [...personas, ...tokens, ...people].map(({ key }) => key),
  );
  const named = (found: Found[]) =>
    found.map(({ key, ...seen }) => ({ id: key, name: names.get(key) ?? null, ...present(seen) }));
  return {
    personas: named(personas),
    tokens: named(tokens),
    people: named(people),
    clients: clients.map(({ key, ...seen }) => ({ client: key, ...present(seen) })),
  };
}

function present({ sessions, lastSeenAt }: Omit<Found, "key">) {
  return { sessions, lastSeenAt: lastSeenAt.toISOString() };
}

function countBy(ctx: Ctx, name: (typeof KEYS)[number], where: Prisma.Sql): Promise<Found[]> {
  const key = Prisma.raw(`"${name}"`);
  return readComposed<Found>(
    ctx,
    Prisma.sql`SELECT ${key} AS "key", COUNT(*) AS "sessions", MAX("lastSeenAt") AS "lastSeenAt" FROM "AgentSession"
      WHERE ${where} AND ${key} IS NOT NULL GROUP BY ${key} ORDER BY MAX("lastSeenAt") DESC LIMIT ${MAX_VALUES}`,
    { lastSeenAt: "date" },
  );
}
