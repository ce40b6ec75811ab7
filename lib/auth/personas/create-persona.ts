import { recordEvent } from "@/lib/audit/record-event";
import type { CreatePersonaInput, Persona } from "@/lib/auth/schema";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertPersonaNameFree, describePersona } from "./describe-persona";

/** Adds a persona: which skills an agent token sees, and how it may run them. */
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
