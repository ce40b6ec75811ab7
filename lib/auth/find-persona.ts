import { isAgent, type PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { describePersona } from "./describe-persona";
import type { Persona } from "./schema";

/** The persona somebody acts under, as it is now; null for people and personal tokens, `missing` when it is gone. */
export async function findPersona(ctx: Ctx, actor: PersonActor): Promise<Persona | null | "missing"> {
  if (!isAgent(actor)) return null;
  const row = await ctx.db.persona.findUnique({ where: { id: actor.personaId } });
  return row === null ? "missing" : describePersona(row);
}
