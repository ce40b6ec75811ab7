import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { isAgent, type PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Persona as PersonaRow } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { personaKey } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { type CreatePersonaInput, type PatchPersonaInput, Persona } from "./schema";

/** Formats a persona for the API. */
export function describePersona(row: PersonaRow): Persona {
  const times = { createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
  return Persona.parse({ ...row, ...times, allow: JSON.parse(row.allow), deny: JSON.parse(row.deny) });
}

/** A persona's row, without an access check. */
export async function getPersonaRow(ctx: Ctx, id: string): Promise<PersonaRow> {
  const row = await ctx.db.persona.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no persona ${id}.`);
  return row;
}

async function assertPersonaNameFree(ctx: Ctx, name: string): Promise<void> {
  if ((await ctx.db.persona.count({ where: { name } })) > 0) {
    throw new AppError("conflict", `A persona named “${name}” already exists.`);
  }
}

const PERSONA = query<PersonaRow>(`SELECT * FROM "Persona" WHERE "id" = ?`, { createdAt: "date", updatedAt: "date" });

/** The current persona of an actor; null for people and personal tokens, `missing` when it was deleted. */
export async function findPersona(ctx: Ctx, actor: PersonActor): Promise<Persona | null | "missing"> {
  if (!isAgent(actor)) return null;
  const row = await sqlOf(ctx).get(PERSONA, actor.personaId);
  return row === undefined ? "missing" : describePersona(row);
}

export async function getPersona(ctx: Ctx, id: string): Promise<Persona> {
  requireScope(ctx.actor, "admin");
  return describePersona(await getPersonaRow(ctx, id));
}

/** All personas by name. */
export async function listPersonas(ctx: Ctx, query: PageQuery): Promise<Page<Persona>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.persona.findMany({
    where: query.cursor === undefined ? {} : { name: { gt: decodeCursor(z.string(), query.cursor) } },
    orderBy: { name: "asc" },
    take: query.limit + 1,
  });
  return toPage(rows, query.limit, (row) => row.name, describePersona);
}

/** Adds a persona, which decides which skills an agent sees and how it may run them. */
export async function createPersona(ctx: Ctx, input: CreatePersonaInput): Promise<Persona> {
  requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertPersonaNameFree(txCtx, input.name);
    const at = ctx.now();
    const row = await tx.persona.create({
      data: {
        id: newId(),
        name: input.name,
        permissionMode: input.permissionMode,
        allow: JSON.stringify(input.allow ?? []),
        deny: JSON.stringify(input.deny ?? []),
        createdAt: at,
        updatedAt: at,
      },
    });
    const persona = describePersona(row);
    const { id, name, permissionMode, allow, deny } = persona;
    await recordEvent(tx, txCtx, {
      action: "persona.create",
      summary: `added the persona “${name}” (${permissionMode})`,
      target: { kind: "persona", id, name },
      data: { permissionMode, allow, deny },
    });
    return persona;
  });
}

/** Changes a persona, from the next request of its tokens on. */
export async function updatePersona(
  ctx: Ctx,
  { id, patch }: { id: string; patch: PatchPersonaInput },
): Promise<Persona> {
  requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = describePersona(await getPersonaRow(txCtx, id));
    const changes = Object.entries(patch).filter(
      ([key, value]) => JSON.stringify(before[key as keyof PatchPersonaInput]) !== JSON.stringify(value),
    );
    if (changes.length === 0) return before;
    if (patch.name !== undefined && patch.name !== before.name) await assertPersonaNameFree(txCtx, patch.name);
    const data = changes.map(([key, value]) => [key, Array.isArray(value) ? JSON.stringify(value) : value]);
    const row = await tx.persona.update({ where: { id }, data: { ...Object.fromEntries(data), updatedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "persona.update",
      summary: `changed ${changes.map(([key]) => key).join(", ")} of the persona “${before.name}”`,
      target: { kind: "persona", id, name: row.name },
      data: {
        before: Object.fromEntries(changes.map(([key]) => [key, before[key as keyof PatchPersonaInput]])),
        after: Object.fromEntries(changes),
      },
    });
    return describePersona(row);
  });
}

/** Deletes a persona without live tokens and own skills. */
export async function deletePersona(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const persona = await getPersonaRow(txCtx, id);
    const isLive = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }] };
    const users = await tx.apiToken.count({ where: { personaId: id, ...isLive } });
    // Deleting the row would leave its tokens without the persona's limits.
    if (users > 0) throw new AppError("conflict", `${users} tokens use “${persona.name}”. Revoke them first.`);
    const skills = await tx.skill.count({ where: { ownerKey: personaKey(id), deletedAt: null } });
    if (skills > 0)
      throw new AppError("conflict", `The persona “${persona.name}” owns ${skills} skills. Delete them first.`);
    await tx.apiToken.updateMany({ where: { personaId: id, revokedAt: null }, data: { revokedAt: ctx.now() } });
    await tx.persona.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "persona.delete",
      summary: `removed the persona “${persona.name}”`,
      target: { kind: "persona", id, name: persona.name },
    });
  });
}
