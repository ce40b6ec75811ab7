/** Owner key of skills that belong to the organisation. */
export const ORG = "org";

/** Whose a skill is, as its owner key says. `userId` null: the organisation's. */
export type SkillOwner =
  | { kind: "org" }
  | { kind: "user"; id: string }
  | { kind: "persona"; id: string }
  | { kind: "integration"; domain: string; userId: string | null };

/** Owner key of the skills of a persona, which only agents that act under it see. */
export function personaKey(personaId: string): string {
  return `persona:${personaId}`;
}

/** Owner key of the skills of an integration, as one person or (null) the organisation has set it up. */
export function integrationKey(domain: string, userId: string | null): string {
  return `integration:${domain}:${userId ?? ORG}`;
}

/** Reads an owner key. Domains hold no colon, so that each key has one reading. */
export function parseOwnerKey(key: string): SkillOwner {
  if (key === ORG) return { kind: "org" };
  const [prefix, first = "", second = ""] = key.split(":");
  if (prefix === "persona") return { kind: "persona", id: first };
  if (prefix === "integration") return { kind: "integration", domain: first, userId: second === ORG ? null : second };
  return { kind: "user", id: key };
}

/** The person a skill belongs to, if it is one person. */
export function ownerIdOf(key: string): string | null {
  const owner = parseOwnerKey(key);
  if (owner.kind === "user") return owner.id;
  return owner.kind === "integration" ? owner.userId : null;
}

/** Whether everybody in the organisation has it: the organisation's own, and what integrations bring to all. */
export function isShared(key: string): boolean {
  const owner = parseOwnerKey(key);
  return owner.kind === "org" || (owner.kind === "integration" && owner.userId === null);
}

/** Where a name is looked for, the first first. What an earlier scope holds shadows the same name in all later ones. */
export const SKILL_SCOPES = ["persona", "personal", "organisation", "integration", "worker"] as const;
export type SkillScope = (typeof SKILL_SCOPES)[number];

export type ScopedSkill = { id: string; ownerKey: string; source: string; isAdopted: boolean };

/** Who looks. `personaId`: of the persona an agent acts under; null for people and personal tokens. */
export type ScopeCaller = { userId: string; personaId: string | null };

const PHRASES: Record<SkillScope, string> = {
  persona: "the persona’s own",
  personal: "a personal one",
  organisation: "the organisation’s",
  integration: "one of an integration",
  worker: "one that a worker brings",
};

/** The scope in which a caller finds a skill; null when it lies in none of theirs, as other people’s skills do. */
export function scopeFor(skill: ScopedSkill, caller: ScopeCaller): SkillScope | null {
  const owner = parseOwnerKey(skill.ownerKey);
  if (owner.kind === "persona") return owner.id === caller.personaId ? "persona" : null;
  if (owner.kind === "user" && owner.id === caller.userId) return "personal";
  if (skill.isAdopted) return "personal";
  if (owner.kind === "integration") {
    return owner.userId === null || owner.userId === caller.userId ? "integration" : null;
  }
  if (owner.kind !== "org") return null;
  return skill.source === "worker" ? "worker" : "organisation";
}

/**
 * The same skills in the order in which the caller’s name means them: the first wins and shadows the others. Within a scope
 * what is one’s own comes before what is shared with one, and then the older (ids rise with time). Skills in none of the
 * caller’s scopes come last: they shadow nothing.
 */
export function rankSkills<S extends ScopedSkill>(skills: readonly S[], caller: ScopeCaller): S[] {
  return skills
    .map((skill) => ({ skill, rank: rankOf(skill, caller) }))
    .sort((a, b) => a.rank - b.rank || (a.skill.id < b.skill.id ? -1 : 1))
    .map(({ skill }) => skill);
}

function rankOf(skill: ScopedSkill, caller: ScopeCaller): number {
  const scope = scopeFor(skill, caller);
  if (scope === null) return SKILL_SCOPES.length * 2;
  const owner = parseOwnerKey(skill.ownerKey);
  const isOwn =
    (owner.kind === "user" ? owner.id : owner.kind === "integration" ? owner.userId : null) === caller.userId;
  return SKILL_SCOPES.indexOf(scope) * 2 + (isOwn ? 0 : 1);
}

/** Why the winner of a name comes before another skill of it, as a sentence. */
export function whyShadowed(winner: SkillScope, loser: SkillScope): string {
  if (winner !== loser) return `${capitalised(PHRASES[winner])} comes before ${PHRASES[loser]}.`;
  if (winner === "personal") return "A skill of one’s own comes before an adopted one, and the older before the newer.";
  return "Of two in the same scope, one’s own comes before a shared one, and the older before the newer.";
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
