import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { aboutSkill } from "@/lib/skills/about-skill";
import { requireManagedSkill } from "./skill-access";

/** Deletes a skill for all users and frees its name. Its versions, decisions and runs stay for the audit log. */
export async function deleteSkill(ctx: Ctx, idOrName: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const data = { deletedAt: ctx.now(), liveSlug: null, enabled: false, updatedAt: ctx.now() };
    await tx.skill.update({ where: { id: skill.id }, data });
    await recordEvent(tx, txCtx, {
      action: "skill.delete",
      summary: `deleted ${skill.name}`,
      ...aboutSkill(skill),
      class: skill.class,
    });
  });
}
