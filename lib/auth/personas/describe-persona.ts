import { Persona } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Persona as PersonaRow } from "@/lib/db/generated/client";

/** A persona as the API shows it. */
export function describePersona(row: PersonaRow): Persona {
  return Persona.parse({
    id: row.id,
    name: row.name,
    permissionMode: row.permissionMode,
    allow: JSON.parse(row.allow),
    deny: JSON.parse(row.deny),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

/** One persona's row, for the verbs of this room. */
export async function getPersonaRow(ctx: Ctx, id: string): Promise<PersonaRow> {
  const row = await ctx.db.persona.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no persona ${id}.`);
  return row;
}

/** Refuses a name another persona has. */
export async function assertPersonaNameFree(ctx: Ctx, name: string): Promise<void> {
  if ((await ctx.db.persona.count({ where: { name } })) > 0) {
    throw new AppError("conflict", `A persona named “${name}” exists already.`);
  }
}
