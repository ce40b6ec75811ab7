import type { Persona } from "@/lib/auth/schema";
import { isAgent, type PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import type { Persona as PersonaRow } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { describePersona } from "./describe-persona";

const PERSONA = query<PersonaRow>(`SELECT * FROM "Persona" WHERE "id" = ?`, { createdAt: "date", updatedAt: "date" });

/** The persona somebody acts under, as it is now; null for people and personal tokens, `missing` when it is gone. */
export async function findPersona(ctx: Ctx, actor: PersonActor): Promise<Persona | null | "missing"> {
  if (!isAgent(actor)) return null;
  const row = await sqlOf(ctx).get(PERSONA, actor.personaId);
  return row === undefined ? "missing" : describePersona(row);
}
