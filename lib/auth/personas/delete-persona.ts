import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { personaKey } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { getPersonaRow } from "./describe-persona";

/** Removes a persona that no live token acts under. */
export async function deletePersona(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const persona = await getPersonaRow(txCtx, id);
    const isLive = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }] };
    const users = await tx.apiToken.count({ where: { personaId: id, ...isLive } });
    // Deleting the row takes the persona off its tokens, which would then act without any limit.
    if (users > 0) throw new AppError("conflict", `“${persona.name}” is used by ${users} tokens; revoke them first.`);
    const skills = await tx.skill.count({ where: { ownerKey: personaKey(id), deletedAt: null } });
    if (skills > 0)
      throw new AppError("conflict", `“${persona.name}” has ${skills} skills of its own; delete them first.`);
    await tx.apiToken.updateMany({ where: { personaId: id, revokedAt: null }, data: { revokedAt: ctx.now() } });
    await tx.persona.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "persona.delete",
      summary: `removed the persona “${persona.name}”`,
      target: { kind: "persona", id, name: persona.name },
    });
  });
}
