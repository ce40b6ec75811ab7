import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { getSkill } from "./get-skill";
import type { PatchSkillInput, Skill } from "./schema";
import { requireManagedSkill } from "./skill-access";

/**
 * Switches a skill on or off and changes what people may set on it. `not_approved` when it is switched on without an
 * approved version; visibility is for admins.
 */
export async function updateSkill(ctx: Ctx, idOrName: string, input: PatchSkillInput): Promise<Skill> {
  if (input.visibility) requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    if (input.enabled && !skill.currentId) {
      const waits = skill.pending
        ? `version ${skill.pending.digest.slice(0, 7)} waits for review`
        : "it has no version in review";
      throw new AppError("not_approved", `“${skill.name}” has no approved version: ${waits}.`);
    }
    const { tags, ...plain } = input;
    const data = { ...plain, ...(tags ? { tags: JSON.stringify(tags) } : {}) };
    const before = Object.fromEntries(Object.keys(input).map((key) => [key, skill[key as keyof typeof skill]]));
    await tx.skill.update({ where: { id: skill.id }, data: { ...data, updatedAt: ctx.now() } });
    const isSwitch = input.enabled !== undefined && Object.keys(input).length === 1;
    await recordEvent(tx, txCtx, {
      action: isSwitch ? (input.enabled ? "skill.enable" : "skill.disable") : "skill.update",
      summary: isSwitch
        ? `switched ${skill.name} ${input.enabled ? "on" : "off"}`
        : `changed ${Object.keys(input).join(", ")} of ${skill.name}`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      tool: skill.toolName,
      class: skill.class,
      ...(skill.current ? { versionDigest: skill.current.digest } : {}),
      data: { before, after: input },
    });
    return getSkill(txCtx, skill.id);
  });
}
