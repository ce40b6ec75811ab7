import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { activationHint } from "./approval/activation-rights";
import { isOwnerApproved } from "./approval/owner-approval";
import { getSkill } from "./get-skill";
import type { PatchSkillInput, Skill } from "./schema";
import { loadFilesAndDecisions, requireManagedSkill, type SkillRow } from "./skill-access";

/**
 * Enables or disables a skill and changes its settings. `not_approved` when it has no active version to enable;
 * visibility and listing are for admins. Unlisting applies to the next request.
 */
export async function updateSkill(ctx: Ctx, idOrName: string, input: PatchSkillInput): Promise<Skill> {
  if (input.visibility !== undefined || input.listed !== undefined) requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireManagedSkill(txCtx, idOrName);
    if (input.enabled && !skill.currentId) {
      const waits = skill.pending
        ? `version ${skill.pending.digest.slice(0, 7)} is pending review`
        : "no version is pending review";
      const hint = await activationHint(txCtx, skill);
      const lacks = hint === "" ? "has no approved version" : "has no active version";
      throw new AppError("not_approved", `“${skill.name}” ${lacks}: ${waits}.${hint}`);
    }
    if (input.visibility === "public" && skill.visibility !== "public") await assertReviewed(txCtx, skill);
    const { tags, ...plain } = input;
    const revived = input.enabled || input.pinned ? { lifecycle: "active", revivedAt: ctx.now() } : {};
    const data = { ...plain, ...(tags ? { tags: JSON.stringify(tags) } : {}), ...revived };
    const before = Object.fromEntries(Object.keys(input).map((key) => [key, skill[key as keyof typeof skill]]));
    await tx.skill.update({ where: { id: skill.id }, data: { ...data, updatedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      ...describeChange(skill.name, input),
      concerns: skill.ownerId,
      ...aboutSkill(skill),
      class: skill.class,
      ...(skill.current ? { versionDigest: skill.current.digest } : {}),
      data: { before, after: input },
    });
    return getSkill(txCtx, skill.id);
  });
}

/** A version that only its owner approved needs a reviewer's approval before other people can use it. */
async function assertReviewed(ctx: Ctx, skill: SkillRow): Promise<void> {
  if (skill.current === null) return;
  const version = { ...skill.current, ...(await loadFilesAndDecisions(ctx, skill.current.id)) };
  if (!isOwnerApproved({ skill, version })) return;
  throw new AppError(
    "not_approved",
    `“${skill.name}” cannot become public, because only its owner approved version ${version.number}, for their own use. Ask a reviewer to approve it first.`,
    { rule: "own-use" },
  );
}

/** A change of only one switch has its own audit action. */
function describeChange(name: string, input: PatchSkillInput): { action: string; summary: string } {
  const { enabled, listed } = input;
  const isAlone = Object.keys(input).length === 1;
  if (isAlone && enabled !== undefined) {
    return enabled
      ? { action: "skill.enable", summary: `switched ${name} on` }
      : { action: "skill.disable", summary: `switched ${name} off` };
  }
  if (isAlone && listed !== undefined) {
    return listed
      ? { action: "skill.list", summary: `unblocked ${name}` }
      : { action: "skill.unlist", summary: `blocked ${name}` };
  }
  return { action: "skill.update", summary: `changed ${Object.keys(input).join(", ")} of ${name}` };
}
