import { LRUCache } from "lru-cache";
import { describePersona } from "@/lib/auth/personas";
import type { Persona } from "@/lib/auth/schema";
import type { PersonActor, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { writeToolDefinitions } from "../describe-tools";
import { offeredTools } from "../list-tools";
import { type HiddenSkill, type Offer, offeredSkills } from "../offers/offered-skills";
import type { AgentTool } from "../schema";
import { composePreamble, splitList } from "./build-preamble";
import type { AgentView, AgentViewQuery } from "./schema";

const MAX_NAMED = 20;

/**
 * What an agent of the caller gets now, under a persona and with a token for `read`, `run` and, with `saves`, `write`. Leaves no
 * trace. Admins may view every persona, others those of their own valid tokens; else `not_found`.
 */
export async function viewAgent(ctx: Ctx, query: AgentViewQuery): Promise<AgentView> {
  const actor = requireScope(ctx.actor, "read");
  const persona = query.persona === undefined ? null : await findPersonaToView(ctx, actor, query.persona);
  const asAgent = { ...ctx, actor: agentOf(actor, persona, query.saves) };
  const capabilities = query.capabilities === undefined ? null : splitList(query.capabilities);
  const offer = await offeredSkills(asAgent, { capabilities });
  const { tools, offer: ofTools } = await offeredTools(asAgent);
  const key = JSON.stringify([query, persona?.name]);
  const kept = keptViews.get(offer) ?? new LRUCache<string, Kept>({ max: MAX_KEPT });
  keptViews.set(offer, kept);
  const known = kept.get(key);
  if (known?.ofTools === ofTools) return known.view;
  const view = composeView(asAgent, { query, persona, offer, tools });
  kept.set(key, { ofTools, view });
  return view;
}

type Kept = { ofTools: Offer; view: AgentView };

/** A view follows from two offers and the query. */
const keptViews = new WeakMap<Offer, LRUCache<string, Kept>>();
const MAX_KEPT = 4;

type Viewed = { query: AgentViewQuery; persona: Persona | null; offer: Offer; tools: AgentTool[] };

function composeView(ctx: Ctx, { query, persona, offer, tools }: Viewed): AgentView {
  const { text, preamble, hidden } = composePreamble(ctx, query, offer);
  return {
    persona: persona && { id: persona.id, name: persona.name },
    preamble: text,
    skills: preamble.skills.length,
    budget: preamble.budget,
    hidden: groupByReason(hidden),
    tools,
    definitions: {
      mcp: writeToolDefinitions(tools, "mcp"),
      openai: writeToolDefinitions(tools, "openai"),
      anthropic: writeToolDefinitions(tools, "anthropic"),
    },
  };
}

async function findPersonaToView(ctx: Ctx, actor: PersonActor, id: string): Promise<Persona> {
  const live = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }] };
  const row = await ctx.db.persona.findFirst({
    where: { id, ...(hasScope(actor, "admin") ? {} : { tokens: { some: { userId: actor.userId, ...live } } }) },
  });
  if (row === null) throw new AppError("not_found", "There is no such persona, or none of your tokens acts under it.");
  return describePersona(row);
}

/** A token of the caller that is never stored. */
function agentOf(actor: PersonActor, persona: Persona | null, saves: boolean): PersonActor {
  const { userId, name, email, role } = actor;
  const scopes: Scope[] = ["read", "run", ...(saves ? (["write"] as const) : [])];
  const token = { tokenId: "view", tokenName: "What an agent sees", scopes, personaId: persona?.id ?? null };
  return { kind: "token", userId, name, email, role, ...token };
}

function groupByReason(hidden: HiddenSkill[]): AgentView["hidden"] {
  const groups = new Map<HiddenSkill["reason"], HiddenSkill[]>();
  for (const skill of hidden) {
    const group = groups.get(skill.reason);
    if (group) group.push(skill);
    else groups.set(skill.reason, [skill]);
  }
  return [...groups]
    .map(([reason, skills]) => ({
      reason,
      count: skills.length,
      skills: skills.slice(0, MAX_NAMED).map(({ id, name, why }) => ({ id, name, why })),
    }))
    .sort((a, b) => b.count - a.count);
}
