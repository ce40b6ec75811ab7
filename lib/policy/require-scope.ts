import type { Actor, PersonActor, Role, Scope } from "@/lib/core/actor";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";

const SCOPES_OF_ROLE: Record<Role, Scope[]> = {
  user: ["read", "run", "write"],
  reviewer: ["read", "run", "write", "review"],
  admin: ["read", "run", "write", "review", "admin"],
};

/** What the role allows, cut down to the token's scopes; a token that acts under a persona never reviews or administers. */
export function effectiveScopes(actor: Actor): Scope[] {
  if (!isPerson(actor)) return [];
  const ofRole = SCOPES_OF_ROLE[actor.role];
  if (actor.kind === "user") return ofRole;
  const ofToken = ofRole.filter((scope) => actor.scopes.includes(scope));
  return actor.personaId === null ? ofToken : ofToken.filter((scope) => scope !== "review" && scope !== "admin");
}

export function hasScope(actor: Actor, scope: Scope): boolean {
  return effectiveScopes(actor).includes(scope);
}

/**
 * Whether somebody sees what belongs to other people: those who may review or administer by what they act with. The role
 * alone says nothing: a reviewer’s token without these scopes, or under a persona, sees what any person’s would.
 */
export function seesAll(actor: Actor): boolean {
  return hasScope(actor, "review") || hasScope(actor, "admin");
}

/** The person behind the request, whatever their scopes; for reads that belong to an act that checked its own scope. */
export function requirePerson(actor: Actor): PersonActor {
  if (actor.kind === "anonymous") throw new AppError("unauthenticated", "Sign in, or send a bearer token.");
  if (!isPerson(actor)) {
    throw new AppError("forbidden", `This is for people, not for ${describeActor(actor)}.`, { rule: "people" });
  }
  return actor;
}

/** The person behind the request, or `unauthenticated` for nobody and `forbidden` for somebody without the scope. */
export function requireScope(actor: Actor, scope: Scope): PersonActor {
  const person = requirePerson(actor);
  if (!hasScope(person, scope)) {
    const message = `This needs the scope “${scope}”, which ${describeActor(person)} does not have.`;
    throw new AppError("forbidden", message, { rule: `scope-${scope}` });
  }
  return person;
}

function describeActor(actor: Actor): string {
  if (actor.kind === "token") return `the token “${actor.tokenName}”`;
  if (actor.kind === "user") return `the role ${actor.role}`;
  return `a ${actor.kind}`;
}
