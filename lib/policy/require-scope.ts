import { type Actor, isAgent, isPerson, type PersonActor, type Role, type Scope } from "@/lib/core/actor";
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

/** The worker behind the request; `forbidden` for everybody else. */
export function requireWorker(actor: Actor): Extract<Actor, { kind: "worker" }> {
  if (actor.kind !== "worker") throw new AppError("forbidden", "Only workers may call this.");
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

/**
 * Who may call a route. `public`: anybody; `session`: a signed-in browser only (not a token); `worker`: a worker token;
 * else a person whose role, token and persona all have the scope.
 */
export type Access = "public" | "session" | "worker" | Scope;

/**
 * Throws `unauthenticated` for an anonymous caller, and `forbidden` for a caller that the route is not for. Tokens that act
 * under a persona are agents: whatever their scopes, a route is closed to them (rule `no-agents`) unless `agents` is `open`.
 */
export function assertAccess({ access, agents }: { access: Access; agents?: "open" | undefined }, actor: Actor): void {
  if (agents !== "open" && isAgent(actor)) {
    throw new AppError(
      "forbidden",
      "This is closed to tokens that act under a persona. Sign in as a person, or use a token without a persona.",
      { rule: "no-agents" },
    );
  }
  if (access === "public") return;
  if (access !== "worker" && access !== "session") {
    requireScope(actor, access);
    return;
  }
  const [wanted, who] =
    access === "worker" ? (["worker", "workers"] as const) : (["user", "a signed-in browser"] as const);
  if (actor.kind === wanted) return;
  if (actor.kind !== "anonymous")
    throw new AppError("forbidden", `Only ${who} may call this.`, { rule: `${access}s-only` });
  throw new AppError("unauthenticated", access === "worker" ? "Send a worker token." : "Sign in first.");
}
