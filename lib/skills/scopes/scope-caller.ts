import type { PersonActor } from "@/lib/core/actor";
import type { ScopeCaller } from "@/lib/policy/rank-skills";

/** Somebody as far as it matters to what a name means. */
export function scopeCaller(actor: PersonActor): ScopeCaller {
  return { userId: actor.userId, personaId: actor.kind === "token" ? actor.personaId : null };
}
