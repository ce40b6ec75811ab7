import type { PersonActor } from "@/lib/core/actor";
import { type ScopedSkill, scopeFor } from "@/lib/policy/rank-skills";
import { seesAll } from "@/lib/policy/require-scope";
import { scopeCaller } from "./scope-caller";

/** Whether somebody sees a skill that exists; the same rule as `visibleTo`, for rows that are in memory. */
export function isVisible(actor: PersonActor, skill: ScopedSkill & { visibility: string }): boolean {
  if (seesAll(actor)) return true;
  const caller = scopeCaller(actor);
  if (scopeFor({ ...skill, isAdopted: false }, caller) !== null) return true;
  return skill.visibility === "public" && (caller.personaId === null || skill.isAdopted);
}
