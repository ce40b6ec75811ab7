import type { Persona } from "@/lib/auth/schema";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { describePersona, getPersonaRow } from "./describe-persona";

/** One persona. */
export async function getPersona(ctx: Ctx, id: string): Promise<Persona> {
  requireScope(ctx.actor, "admin");
  return describePersona(await getPersonaRow(ctx, id));
}
