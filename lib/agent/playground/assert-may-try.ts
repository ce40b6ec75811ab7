import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { hasScope, requirePerson } from "@/lib/policy/require-scope";
import { canManage, requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import type { ChosenSkill } from "./schema";

const TRIED = new Set(["draft", "pending", "changes_requested", "approved"]);

export type TriedSkill = {
  skill: SkillRow;
  /** A version that is not active, as a playbook only; null: the active version. */
  pending: VersionRow | null;
};

/** Reviewers and managers may also try an inactive version as a playbook, unless it was rejected or revoked. */
export async function assertMayTry(ctx: Ctx, { skillId, versionDigest }: ChosenSkill): Promise<TriedSkill> {
  const skill = await requireSkill(ctx, skillId);
  const serving = skill.enabled ? skill.current : null;
  if (serving && (versionDigest === null || versionDigest === serving.digest)) return { skill, pending: null };
  if (versionDigest === null) {
    const why = skill.current ? "is switched off" : "has no approved version";
    throw new AppError("not_approved", `“${skill.name}” ${why}. Choose one of its versions to try its playbook.`);
  }
  const { version } = await requireVersion(ctx, skill.id, versionDigest);
  const name = `Version ${version.digest.slice(0, 7)} of “${skill.name}”`;
  if (!TRIED.has(version.state)) {
    const message = `${name} is ${version.state.replace("_", " ")}; it cannot be tried.`;
    throw new AppError("not_approved", message);
  }
  const actor = requirePerson(ctx.actor);
  if (!hasScope(actor, "review") && !canManage(actor, skill)) {
    throw new AppError("forbidden", `${name} is not active. Only reviewers and its owner may try it.`, {
      rule: "pending",
    });
  }
  return { skill, pending: version };
}
