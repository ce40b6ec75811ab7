import { type Actor, isAgent, type Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { requireScope } from "./require-scope";

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
