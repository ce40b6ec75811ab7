import { findPersona } from "@/lib/auth/personas";
import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { type PersonaPolicy, whyRefused } from "@/lib/policy/gate-run";
import {
  ownerIdOf,
  parseOwnerKey,
  rankSkills,
  type ScopeCaller,
  type ScopedSkill,
  type SkillScope,
  scopeFor,
  whyShadowed,
} from "@/lib/policy/ownership";
import type { SkillOwner } from "@/lib/skills/schema";
import { refusedPipelines } from "../pipeline/refused-pipelines";
import { adoptedAmong, scopeCaller, servedClass, visibleTo } from "../skill-access";

type Named = ScopedSkill & { name: string; slug: string; toolName: string; class: string; currentId: string | null };

export type Rival = { id: string; name: string; scope: SkillScope; reason: string };

/** The scope of a skill for one caller, and the skills that it shadows or that shadow it. */
export type NameResolution = {
  scope: SkillScope | null;
  isAdopted: boolean;
  shadowedBy: Rival | null;
  shadows: Rival[];
};

type Question = {
  caller: ScopeCaller;
  visible: Prisma.SkillWhereInput;
  /** Null without a persona. Skills that a persona excludes take no part in name resolution. */
  persona: PersonaPolicy | null;
};

const columns = {
  id: true,
  name: true,
  slug: true,
  toolName: true,
  ownerKey: true,
  source: true,
  class: true,
  currentId: true,
} as const;

/** Resolves the names of some skills among all that the caller sees. */
export async function resolveNames(
  ctx: Ctx,
  skills: { id: string; slug: string }[],
  { caller, visible, persona }: Question,
): Promise<Map<string, NameResolution>> {
  const slugs = [...new Set(skills.map(({ slug }) => slug))];
  if (slugs.length === 0) return new Map();
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visible, { liveSlug: { in: slugs } }] },
    select: columns,
  });
  const adopted = await adoptedAmong(ctx, caller.userId, rows);
  const bySteps = await refusedPipelines(ctx, persona, { id: { in: rows.map(({ id }) => id) } });
  const all = rows
    .map((row): Named => ({ ...row, isAdopted: adopted.has(row.id) }))
    .filter((row) => !bySteps.has(row.id) && whyRefused(persona, { ...row, class: servedClass(row) }) === null);
  const places = new Map<string, NameResolution>();
  for (const { id, slug } of skills) {
    const rivals = all.filter((row) => row.slug === slug && scopeFor(row, caller) !== null);
    places.set(id, resolveName(id, rankSkills(rivals, caller), caller, adopted.has(id)));
  }
  return places;
}

function resolveName(id: string, ranked: Named[], caller: ScopeCaller, isAdopted: boolean): NameResolution {
  const index = ranked.findIndex((row) => row.id === id);
  const skill = ranked[index];
  const scope = skill ? scopeFor(skill, caller) : null;
  if (!skill || scope === null) return { scope: null, isAdopted, shadowedBy: null, shadows: [] };
  const rivalOf = (other: Named, [winner, loser]: [SkillScope, SkillScope]): Rival => ({
    id: other.id,
    name: other.name,
    scope: scopeFor(other, caller) ?? scope,
    reason: whyShadowed(winner, loser),
  });
  const scopeOf = (other: Named) => scopeFor(other, caller) ?? scope;
  const first = ranked[0];
  return {
    scope,
    isAdopted,
    shadowedBy: index > 0 && first ? rivalOf(first, [scopeOf(first), scope]) : null,
    shadows: index === 0 ? ranked.slice(1).map((other) => rivalOf(other, [scope, scopeOf(other)])) : [],
  };
}

/** Resolves the names of some skills for the caller; empty for callers that are no person. */
export async function resolveNamesForCaller(
  ctx: Ctx,
  skills: { id: string; slug: string }[],
): Promise<Map<string, NameResolution>> {
  const { actor } = ctx;
  if (!isPerson(actor)) return new Map();
  const persona = await findPersona(ctx, actor);
  return resolveNames(ctx, skills, {
    caller: scopeCaller(actor),
    visible: visibleTo(actor),
    persona: persona === "missing" ? null : persona,
  });
}

/** Owners with their names by owner key; deleted ones have an empty name. */
export async function presentOwners(ctx: Ctx, skills: { ownerKey: string }[]): Promise<Map<string, SkillOwner>> {
  const keys = [...new Set(skills.map(({ ownerKey }) => ownerKey))];
  const personaIds = keys.map(parseOwnerKey).flatMap((owner) => (owner.kind === "persona" ? [owner.id] : []));
  const userIds = keys.flatMap((key) => ownerIdOf(key) ?? []);
  const users = await ctx.db.user.findMany({ where: { id: { in: userIds } }, select: { id: true, name: true } });
  const personas =
    personaIds.length === 0
      ? []
      : await ctx.db.persona.findMany({ where: { id: { in: personaIds } }, select: { id: true, name: true } });
  const names = new Map([...users, ...personas].map(({ id, name }) => [id, name]));
  return new Map(keys.map((key) => [key, presentOwner(key, names)]));
}

function presentOwner(key: string, names: Map<string, string>): SkillOwner {
  const owner = parseOwnerKey(key);
  if (owner.kind === "persona") return { kind: "persona", id: owner.id, name: names.get(owner.id) ?? "" };
  const userId = ownerIdOf(key);
  return userId === null
    ? { kind: "org", id: null, name: "Organisation" }
    : { kind: "user", id: userId, name: names.get(userId) ?? "" };
}
