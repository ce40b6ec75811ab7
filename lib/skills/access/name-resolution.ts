import { findPersona } from "@/lib/auth/personas";
import { isPerson, type PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { type PersonaPolicy, whyRefused } from "@/lib/policy/gate-run";
import {
  ORG,
  ownerIdOf,
  parseOwnerKey,
  personaKey,
  rankSkills,
  type ScopeCaller,
  type ScopedSkill,
  type SkillScope,
  scopeFor,
  whyShadowed,
} from "@/lib/policy/ownership";
import { refusedPipelines } from "@/lib/skills/pipeline/plan-pipeline";
import type { SkillOwner } from "@/lib/skills/schema";
import { isVisible, scopeCaller, servedClass } from "../skill-access";

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
  actor: PersonActor;
  /** Null without a persona. Skills that a persona excludes take no part in name resolution. */
  persona: PersonaPolicy | null;
};

type Candidate = Omit<Named, "isAdopted"> & { visibility: string; adoptions: number };
const candidates = (dialect: Dialect) =>
  `SELECT s."id", s."name", s."slug", s."toolName", s."ownerKey", s."source", s."class", s."currentId", s."visibility",
     CASE WHEN a."skillId" IS NULL THEN 0 ELSE 1 END AS "adoptions"
   FROM "Skill" s LEFT JOIN "Adoption" a ON a."skillId" = s."id" AND a."userId" = ?
   WHERE s."liveSlug" IN ${jsonList(dialect)} AND s."deletedAt" IS NULL
     AND (s."ownerKey" IN (?, '${ORG}', ?) OR s."ownerKey" LIKE 'integration:%' OR a."skillId" IS NOT NULL)`;
/** The skills of these names in any scope that the caller may have; `isVisible` and `scopeFor` decide. */
const CANDIDATES = query<Candidate>({ sqlite: candidates("sqlite"), postgresql: candidates("postgresql") });

/** Resolves the names of some skills among all that the caller sees. */
export async function resolveNames(
  ctx: Ctx,
  skills: { id: string; slug: string }[],
  { actor, persona }: Question,
): Promise<Map<string, NameResolution>> {
  const slugs = [...new Set(skills.map(({ slug }) => slug))];
  if (slugs.length === 0) return new Map();
  const caller = scopeCaller(actor);
  const ofPersona = caller.personaId === null ? "" : personaKey(caller.personaId);
  const found = await sqlOf(ctx).all(CANDIDATES, actor.userId, JSON.stringify(slugs), actor.userId, ofPersona);
  const rows = found
    .map(({ adoptions, ...row }) => ({ ...row, isAdopted: adoptions === 1 }))
    .filter((row) => isVisible(actor, row));
  const adopted = new Set(rows.filter(({ isAdopted }) => isAdopted).map(({ id }) => id));
  const bySteps = await refusedPipelines(ctx, persona, { id: { in: rows.map(({ id }) => id) } });
  const all: Named[] = rows.filter(
    (row) => !bySteps.has(row.id) && whyRefused(persona, { ...row, class: servedClass(row) }) === null,
  );
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
    actor,
    persona: persona === "missing" ? null : persona,
  });
}

const namesOf = (dialect: Dialect) =>
  `SELECT "id", "name" FROM "User" WHERE "id" IN ${jsonList(dialect)}
   UNION ALL SELECT "id", "name" FROM "Persona" WHERE "id" IN ${jsonList(dialect)}`;
const NAMES = query<{ id: string; name: string }>({ sqlite: namesOf("sqlite"), postgresql: namesOf("postgresql") });

/** Owners with their names by owner key; deleted ones have an empty name. */
export async function presentOwners(ctx: Ctx, skills: { ownerKey: string }[]): Promise<Map<string, SkillOwner>> {
  const keys = [...new Set(skills.map(({ ownerKey }) => ownerKey))];
  const personaIds = keys.map(parseOwnerKey).flatMap((owner) => (owner.kind === "persona" ? [owner.id] : []));
  const userIds = keys.flatMap((key) => ownerIdOf(key) ?? []);
  const named =
    userIds.length + personaIds.length === 0
      ? []
      : await sqlOf(ctx).all(NAMES, JSON.stringify(userIds), JSON.stringify(personaIds));
  const names = new Map(named.map(({ id, name }) => [id, name]));
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
