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
