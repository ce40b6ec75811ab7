export const ORG = "org";

/** Owner of a skill, from its owner key. `userId` null: the organisation. */
export type SkillOwner =
  | { kind: "org" }
  | { kind: "user"; id: string }
  | { kind: "persona"; id: string }
  | { kind: "integration"; domain: string; userId: string | null };

/** Owner key of a persona's skills, which only agents under that persona see. */
export function personaKey(personaId: string): string {
  return `persona:${personaId}`;
}

/** Owner key of an integration's skills, set up by one person or (null) by the organisation. */
export function integrationKey(domain: string, userId: string | null): string {
  return `integration:${domain}:${userId ?? ORG}`;
}

/** Parses an owner key. Domains contain no colon, so every key is unambiguous. */
export function parseOwnerKey(key: string): SkillOwner {
  if (key === ORG) return { kind: "org" };
  const [prefix, first = "", second = ""] = key.split(":");
  if (prefix === "persona") return { kind: "persona", id: first };
  if (prefix === "integration") return { kind: "integration", domain: first, userId: second === ORG ? null : second };
  return { kind: "user", id: key };
}

/** The person who owns a skill; null for other owners. */
export function ownerIdOf(key: string): string | null {
  const owner = parseOwnerKey(key);
  if (owner.kind === "user") return owner.id;
  return owner.kind === "integration" ? owner.userId : null;
}

export function isShared(key: string): boolean {
  const owner = parseOwnerKey(key);
  return owner.kind === "org" || (owner.kind === "integration" && owner.userId === null);
}

/** Lookup order of names. A skill in an earlier scope shadows the same name in all later ones. */
export const SKILL_SCOPES = ["persona", "personal", "organisation", "integration", "worker"] as const;
export type SkillScope = (typeof SKILL_SCOPES)[number];

export type ScopedSkill = { id: string; ownerKey: string; source: string; isAdopted: boolean };

/** `personaId` is null for people and personal tokens. */
export type ScopeCaller = { userId: string; personaId: string | null };

const PHRASES: Record<SkillScope, string> = {
  persona: "the persona’s own",
  personal: "a personal one",
  organisation: "the organisation’s",
  integration: "one of an integration",
  worker: "one from a worker",
};

/** The scope in which a caller finds a skill; null for skills outside their scopes, such as other people’s. */
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
 * Sorts skills in the order of name resolution: the first wins and shadows the others. Within a scope, the caller's own skills
 * come before shared ones, and older before newer (ids rise with time). Skills outside the caller's scopes come last.
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

/** Why one skill of a name wins over another, as a sentence. */
export function whyShadowed(winner: SkillScope, loser: SkillScope): string {
  if (winner !== loser) return `${capitalised(PHRASES[winner])} comes before ${PHRASES[loser]}.`;
  if (winner === "personal") return "Your own skill comes before an adopted one, and an older one before a newer one.";
  return "In the same scope, your own skill comes before a shared one, and an older one before a newer one.";
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
