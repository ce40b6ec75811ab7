import type { Actor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { hasScope, requirePerson, seesAll } from "@/lib/policy/require-scope";
import { canManage } from "@/lib/skills/skill-access";

/** Whether somebody evaluates a skill, stops that, and reads what was answered: who manages it, and reviewers. */
export function mayEvaluate(actor: Actor, skill: { ownerKey: string }): boolean {
  const person = requirePerson(actor);
  return hasScope(person, "run") && (seesAll(person) || canManage(person, skill));
}

/** `forbidden` for everybody else: an evaluation costs many answers of a model, and they may hold what runs gave. */
export function assertMayEvaluate(actor: Actor, skill: { ownerKey: string; name: string }): void {
  if (mayEvaluate(actor, skill)) return;
  const message = `Who manages “${skill.name}” evaluates it, and so do reviewers.`;
  throw new AppError("forbidden", message, { rule: "evaluate" });
}
