import { type Actor, isAgent, isPerson, type PersonActor, type Role, type Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";

const SCOPES_OF_ROLE: Record<Role, Scope[]> = {
  user: ["read", "run", "write"],
  reviewer: ["read", "run", "write", "review"],
  admin: ["read", "run", "write", "review", "admin"],
};

/** The role's scopes that the token also has; tokens under a persona never get `review` or `admin`. */
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

/** By effective scopes `review` or `admin`: a reviewer’s token without them, or under a persona, does not see all. */
export function seesAll(actor: Actor): boolean {
  return hasScope(actor, "review") || hasScope(actor, "admin");
}

/** The person of the request, with any scope; for reads inside an operation that has checked its own scope. */
export function requirePerson(actor: Actor): PersonActor {
  if (actor.kind === "anonymous") throw new AppError("unauthenticated", "Sign in, or send a bearer token.");
  if (!isPerson(actor)) {
    throw new AppError("forbidden", `Only people may do this, not ${describeActor(actor)}.`, { rule: "people" });
  }
  return actor;
}

export function requireWorker(actor: Actor): Extract<Actor, { kind: "worker" }> {
  if (actor.kind !== "worker") throw new AppError("forbidden", "Only workers may call this.");
  return actor;
}

/** The person of the request; `unauthenticated` for anonymous callers, `forbidden` without the scope. */
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

/** `session`: a signed-in browser, no token. A scope: a person whose role, token and persona all have it. */
export type Access = "public" | "session" | "worker" | Scope;

/** Agents (tokens under a persona) may call a route only when `agents` is `open` (rule `no-agents`). */
export function assertAccess({ access, agents }: { access: Access; agents?: "open" | undefined }, actor: Actor): void {
  if (agents !== "open" && isAgent(actor)) {
    throw new AppError(
      "forbidden",
      "Agents may not call this: the token acts under a persona. Sign in as a person, or use a token without a persona.",
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
