import { recordEvent } from "@/lib/audit/record-event";
import type { PatchPersonaInput, Persona } from "@/lib/auth/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertPersonaNameFree, describePersona, getPersonaRow } from "./describe-persona";

/** Changes a persona, for all tokens that act under it, from their next request on. */
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
