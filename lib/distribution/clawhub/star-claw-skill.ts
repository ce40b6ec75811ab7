import type { Ctx } from "@/lib/db/context";
import { countStars, setStar } from "@/lib/skills/community/stars";
import { findSkill } from "./find-skill";
import type { SkillReference } from "./schema";

/** `POST /api/v1/stars/{slug}`. */
export async function starClawSkill(ctx: Ctx, wanted: SkillReference) {
  const { id, starred } = await readStar(ctx, wanted);
  await setStar(ctx, id, true);
  return { ok: true as const, starred: true as const, alreadyStarred: starred };
}

/** `DELETE /api/v1/stars/{slug}`. */
export async function unstarClawSkill(ctx: Ctx, wanted: SkillReference) {
  const { id, starred } = await readStar(ctx, wanted);
  await setStar(ctx, id, false);
  return { ok: true as const, unstarred: true as const, alreadyUnstarred: !starred };
}

async function readStar(ctx: Ctx, wanted: SkillReference) {
  const { id } = (await findSkill(ctx, wanted)).published.skill;
  return { id, starred: (await countStars(ctx, [id])).get(id)?.starred ?? false };
}
