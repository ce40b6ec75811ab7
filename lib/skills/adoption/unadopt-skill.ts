import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { assertShown, findNamedSkill } from "../skill-access";

/** Ends an adoption; without one it changes nothing. */
export async function unadoptSkill(ctx: Ctx, idOrName: string): Promise<void> {
  const actor = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await findNamedSkill(txCtx, idOrName);
    // What an admin took off the list can still be left.
    await assertShown(txCtx, { ...skill, listed: true });
    const { count } = await tx.adoption.deleteMany({ where: { userId: actor.userId, skillId: skill.id } });
    if (count === 0) return;
    await recordEvent(tx, txCtx, {
      action: "skill.unadopt",
      summary: `no longer uses ${skill.name} as a personal skill`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      tool: skill.toolName,
      concerns: skill.ownerId,
    });
  });
}
