import type { PersonActor } from "@/lib/core/actor";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope } from "@/lib/policy/require-scope";

/** Admins see the traces of everybody’s agents, other people those of their own. */
export function sessionsVisibleTo(actor: PersonActor): Prisma.AgentSessionWhereInput {
  return hasScope(actor, "admin") ? {} : { userId: actor.userId };
}
