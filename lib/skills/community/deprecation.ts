import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { aboutSkill } from "@/lib/skills/about-skill";
import { getSkill } from "../get-skill";
import type { Skill } from "../schema";
import { requireManagedSkill, requireSkill, type SkillRow } from "../skill-access";
import type { DeprecateInput } from "./schema";

/**
 * Deprecates a skill, with a reason and a replacement; its active version stays active. Repeating it changes both.
 * `invalid` when the replacement is the skill itself, unknown, or deprecated.
 */
export async function deprecateSkill(ctx: Ctx, idOrName: string, input: DeprecateInput): Promise<Skill> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    const replacement = await findReplacement(txCtx, skill, input.replacedBy);
    const marks = { deprecatedReason: input.reason, replacedById: replacement?.id ?? null };
    await tx.skill.update({
      where: { id: skill.id },
      data: { ...marks, deprecatedAt: skill.deprecatedAt ?? ctx.now(), updatedAt: ctx.now() },
    });
    await recordEvent(tx, txCtx, {
      action: "skill.deprecate",
      summary: `deprecated ${skill.name}${replacement ? ` in favour of ${replacement.name}` : ""}`,
      concerns: skill.ownerId,
      ...aboutSkill(skill),
      data: { reason: input.reason, replacedBy: replacement?.id ?? null },
    });
    return getSkill(txCtx, skill.id);
  });
}

async function findReplacement(ctx: Ctx, skill: SkillRow, wanted: string | undefined): Promise<SkillRow | null> {
  if (wanted === undefined) return null;
  const refuse = (message: string) => new AppError("invalid", message, { errors: [{ path: "replacedBy", message }] });
  const found = await requireSkill(ctx, wanted).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") throw refuse(error.message);
    throw error;
  });
  if (found.id === skill.id) throw refuse("A skill cannot replace itself.");
  if (found.deprecatedAt !== null) throw refuse(`“${found.name}” is also deprecated. Choose another skill.`);
  return found;
}

/** Ends a deprecation, if there is one. */
export async function undeprecateSkill(ctx: Ctx, idOrName: string): Promise<Skill> {
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    if (skill.deprecatedAt !== null) {
      const none = { deprecatedAt: null, deprecatedReason: null, replacedById: null };
      await tx.skill.update({ where: { id: skill.id }, data: { ...none, updatedAt: ctx.now() } });
      await recordEvent(tx, txCtx, {
        action: "skill.undeprecate",
        summary: `removed the deprecation of ${skill.name}`,
        concerns: skill.ownerId,
        ...aboutSkill(skill),
        data: { reason: skill.deprecatedReason },
      });
    }
    return getSkill(txCtx, skill.id);
  });
}
