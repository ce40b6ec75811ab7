import { type Actor, isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { requireScope } from "@/lib/policy/require-scope";

/** A person who may make and revoke tokens. An agent under a persona may not: a token without it would free the agent. */
export function requireTokenKeeper(given: Actor): PersonActor {
  const actor = requireScope(given, "write");
  if (isAgent(actor)) {
    throw new AppError("forbidden", "A token that acts under a persona can neither make nor revoke tokens.");
  }
  return actor;
}
