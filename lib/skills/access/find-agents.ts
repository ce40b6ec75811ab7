import { z } from "zod";
import { describePersona } from "@/lib/auth/describe-persona";
import type { Persona } from "@/lib/auth/schema";
import { isAgent, type PersonActor, Role, Scope } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { hasScope } from "@/lib/policy/require-scope";

type TokenActor = Extract<PersonActor, { kind: "token" }>;

/** An agent as it would ask; `actor` null for a persona that no live token acts under. */
export type Agent = { id: string; name: string; person: string | null; actor: TokenActor | null; persona: Persona };

/** Agents of one answer. */
const MAX_AGENTS = 50;

/** The live agent tokens that somebody may know of: their own, for admins everybody’s; an agent knows of itself. */
export async function findAgents(ctx: Ctx, actor: PersonActor): Promise<{ agents: Agent[]; more: number }> {
  const isAdmin = hasScope(actor, "admin");
  const where = {
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }],
    personaId: { not: null },
    user: { state: "active" },
    ...(isAdmin ? {} : { userId: actor.userId }),
    ...(isAgent(actor) ? { id: actor.tokenId } : {}),
  };
  const rows = await ctx.db.apiToken.findMany({
    where,
    include: { user: true, persona: true },
    orderBy: [{ lastUsedAt: "desc" }, { id: "desc" }],
    take: MAX_AGENTS,
  });
  const agents = rows.flatMap(({ user, persona, ...token }): Agent[] => {
    if (persona === null) return [];
    const who = { userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) };
    const scopes = parseJsonColumn(z.array(Scope), token.scopes);
    const itself: TokenActor = {
      ...{ kind: "token", ...who, scopes },
      ...{ tokenId: token.id, tokenName: token.name, personaId: persona.id },
    };
    return [{ id: token.id, name: token.name, person: user.name, actor: itself, persona: describePersona(persona) }];
  });
  const more = (await ctx.db.apiToken.count({ where })) - rows.length;
  if (!isAdmin) return { agents, more };
  const used = agents.map(({ persona }) => persona.id);
  const idle = await ctx.db.persona.findMany({
    where: { id: { notIn: used } },
    orderBy: { name: "asc" },
    take: MAX_AGENTS,
  });
  const personas = idle.map(describePersona);
  return {
    agents: [...agents, ...personas.map((persona) => ({ ...persona, person: null, actor: null, persona }))],
    more,
  };
}
