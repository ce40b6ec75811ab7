import type { Ctx } from "@/lib/db/context";
import { presentSkills } from "./present-skill";
import type { Skill } from "./schema";
import { requireSkill } from "./skill-access";

/** One skill by id or name; `not_found` also when the caller may not see it. */
export async function getSkill(ctx: Ctx, idOrName: string): Promise<Skill> {
  const [skill] = await presentSkills(ctx, [await requireSkill(ctx, idOrName)]);
  if (!skill) throw new Error("presenting one row gave none");
  return skill;
}
