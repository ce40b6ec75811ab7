import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { isShared, ownerIdOf } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { getSkill } from "../get-skill";
import type { Skill } from "../schema";
import { assertNotHidden, findNamedSkill, requireSkill, type SkillRow, unlistedMessage } from "../skill-access";

/** Adopts a shared skill as personal: a live reference, which ends when it is deleted or no longer shared. */
export async function adoptSkill(ctx: Ctx, idOrName: string): Promise<Skill> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, idOrName);
    const whyNot = whyNotAdopt(actor, skill);
    if (whyNot !== null) throw whyNot;
    const key = { userId: actor.userId, skillId: skill.id };
    const known = await tx.adoption.findUnique({ where: { userId_skillId: key } });
    if (known === null) {
      await tx.adoption.create({ data: { ...key, createdAt: ctx.now() } });
      await recordEvent(tx, txCtx, {
        action: "skill.adopt",
        summary: `adopted ${skill.name}`,
        ...aboutSkill(skill),
        concerns: skill.ownerId,
      });
    }
    return getSkill(txCtx, skill.id);
  });
}

/** Why the actor may not adopt a visible skill; null when they may. */
export function whyNotAdopt(
  actor: PersonActor,
  skill: Pick<SkillRow, "name" | "ownerKey" | "visibility" | "listed" | "currentId">,
): AppError | null {
  if (ownerIdOf(skill.ownerKey) === actor.userId)
    return new AppError("conflict", `“${skill.name}” is already your own skill.`);
  if (!isShared(skill.ownerKey) && skill.visibility !== "public")
    return new AppError("forbidden", `“${skill.name}” is private; only shared skills can be adopted.`);
  if (!skill.listed) return new AppError("not_approved", unlistedMessage(skill), { rule: "unlisted" });
  if (skill.currentId === null)
    return new AppError("not_approved", `“${skill.name}” has no approved version to adopt.`);
  return null;
}

/** Ends an adoption, if there is one. */
export async function unadoptSkill(ctx: Ctx, idOrName: string): Promise<void> {
  const actor = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const skill = await findNamedSkill(txCtx, idOrName);
    // An unlisted skill can still be unadopted.
    await assertNotHidden(txCtx, { ...skill, listed: true });
    const { count } = await tx.adoption.deleteMany({ where: { userId: actor.userId, skillId: skill.id } });
    if (count === 0) return;
    await recordEvent(tx, txCtx, {
      action: "skill.unadopt",
      summary: `no longer uses ${skill.name} as a personal skill`,
      ...aboutSkill(skill),
      concerns: skill.ownerId,
    });
  });
}
