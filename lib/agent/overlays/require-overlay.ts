import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import type { OverlayRow } from "./present-overlay";

/** An overlay and its skill; `not_found` also when the caller may not see the skill. */
export async function requireOverlay(ctx: Ctx, id: string): Promise<{ row: OverlayRow; skill: SkillRow }> {
  const row = await ctx.db.overlay.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", `There is no overlay “${id}”.`);
  return { row, skill: await requireSkill(ctx, row.skillId) };
}
