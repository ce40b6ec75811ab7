import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { assertStepsAllowed } from "../pipeline/refused-pipelines";
import { shownByPersona, shownTo } from "../shown-to";
import { requireSkill, type SkillRow } from "../skill-access";

/** Skills in one export. */
export const MOST_SKILLS = 500;

/** The chosen skills, or all that the caller sees, by name. `too_large` for more than 500. */
export async function chooseSkills(ctx: Ctx, actor: PersonActor, wanted: string[] | undefined): Promise<SkillRow[]> {
  if (wanted !== undefined) {
    if (wanted.length > MOST_SKILLS) throw tooMany(wanted.length);
    const rows: SkillRow[] = [];
    for (const idOrName of wanted) {
      const row = await requireSkill(ctx, idOrName);
      await assertStepsAllowed(ctx, row);
      rows.push(row);
    }
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  }
  const isShown = await shownByPersona(ctx, actor);
  const rows = await ctx.db.skill.findMany({
    where: shownTo(actor),
    orderBy: [{ slug: "asc" }, { id: "asc" }],
    include: { current: true, pending: true },
  });
  const shown = rows.filter(isShown);
  if (shown.length > MOST_SKILLS) throw tooMany(shown.length);
  return shown;
}

function tooMany(count: number): AppError {
  return new AppError("too_large", `These are ${count} skills; one export has at most ${MOST_SKILLS}. Choose fewer.`);
}
