import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { type OverlayRow, seesProposals, TOLD } from "./present-overlay";

/** An overlay and its skill; `not_found` also when the caller may see neither the skill nor what is proposed for it. */
export async function requireOverlay(ctx: Ctx, id: string): Promise<{ row: OverlayRow; skill: SkillRow }> {
  const row = await ctx.db.overlay.findUnique({ where: { id } });
  if (!row) throw unknown(id);
  const skill = await requireSkill(ctx, row.skillId);
  if (!TOLD.includes(row.state) && !seesProposals(ctx.actor, skill)) throw unknown(id);
  return { row, skill };
}

function unknown(id: string): AppError {
  return new AppError("not_found", `There is no overlay “${id.slice(0, 64)}”.`);
}
