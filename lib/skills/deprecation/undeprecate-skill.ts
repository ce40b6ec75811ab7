import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { getSkill } from "../get-skill";
import type { Skill } from "../schema";
import { requireManagedSkill } from "../skill-access";
import { aboutSkill } from "./about-skill";

/** Takes the advice back; without any it changes nothing. */
export async function undeprecateSkill(ctx: Ctx, idOrName: string): Promise<Skill> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    if (skill.deprecatedAt !== null) {
      const none = { deprecatedAt: null, deprecatedReason: null, replacedById: null };
      await tx.skill.update({ where: { id: skill.id }, data: { ...none, updatedAt: ctx.now() } });
      await recordEvent(tx, txCtx, {
        action: "skill.undeprecate",
        summary: `no longer advises against ${skill.name}`,
        ...aboutSkill(skill),
        data: { reason: skill.deprecatedReason },
      });
    }
    return getSkill(txCtx, skill.id);
  });
}
