import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requirePerson } from "@/lib/policy/require-scope";
import { canManage, requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import type { ChosenSkill } from "./schema";

const TRIED = new Set(["draft", "pending", "changes_requested"]);

export type TriedSkill = {
  skill: SkillRow /** Not approved: its playbook only. Null: what serves. */;
  pending: VersionRow | null;
};

/**
 * Whether the caller may have an agent try this skill. A version that is not approved is for reviewers and for whoever
 * manages the skill; one that was rejected or revoked is for nobody.
 */
export async function assertMayTry(ctx: Ctx, { skillId, versionDigest }: ChosenSkill): Promise<TriedSkill> {
  const skill = await requireSkill(ctx, skillId);
  if (versionDigest === null || versionDigest === skill.current?.digest) {
    if (skill.current && skill.enabled) return { skill, pending: null };
    const why = skill.current ? "is switched off" : "has no approved version";
    throw new AppError("not_approved", `“${skill.name}” ${why}; choose one of its versions to try its playbook.`);
  }
  const { version } = await requireVersion(ctx, skill.id, versionDigest);
  const name = `Version ${version.digest.slice(0, 7)} of “${skill.name}”`;
  if (!TRIED.has(version.state)) {
    const message = `${name} is ${version.state.replace("_", " ")}; only the one that serves and ones that wait can be tried.`;
    throw new AppError("not_approved", message);
  }
  const actor = requirePerson(ctx.actor);
  if (!hasScope(actor, "review") && !canManage(actor, skill)) {
    throw new AppError("forbidden", `${name} is not approved; reviewers and its owner may try it.`, {
      rule: "pending",
    });
  }
  return { skill, pending: version };
}
