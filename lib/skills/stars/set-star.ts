import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "../skill-access";
import { countStars, NO_STARS } from "./count-stars";
import type { StarState } from "./schema";

/** Stars a skill that the caller sees, or takes the star back. One for each person; saying it twice changes nothing. */
export async function setStar(ctx: Ctx, idOrName: string, starred: boolean): Promise<StarState> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const key = { userId: actor.userId, skillId: skill.id };
    const known = await tx.star.findUnique({ where: { userId_skillId: key } });
    if ((known !== null) !== starred) {
      if (starred) await tx.star.create({ data: { ...key, at: ctx.now() } });
      else await tx.star.delete({ where: { userId_skillId: key } });
      await recordEvent(tx, txCtx, {
        action: starred ? "skill.star" : "skill.unstar",
        summary: starred ? `starred ${skill.name}` : `took the star from ${skill.name}`,
        target: { kind: "skill", id: skill.id, name: skill.name },
        skillId: skill.id,
        tool: skill.toolName,
      });
    }
    return (await countStars(txCtx, [skill.id])).get(skill.id) ?? NO_STARS;
  });
}
