import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { Grants } from "@/lib/skills/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { approvalTerms } from "./decide-version";

declare const minted: unique symbol;

/** A version a person approved and that serves now. Only `requireApproved` makes one, and starting a run needs one. */
export type ApprovedVersion = {
  readonly [minted]: true;
  readonly version: VersionRow;
  readonly manifest: SkillManifest;
  readonly class: SkillClass;
  readonly grants: Grants;
  readonly subject: string;
};

/**
 * The approved version of an enabled skill. The subject is computed anew from what is stored and compared with the one
 * that was signed: when content, class, grants or owner were changed behind our back, the answer is `not_approved`.
 */
export async function requireApproved(ctx: Ctx, skill: SkillRow): Promise<ApprovedVersion> {
  if (skill.current?.state !== "approved") {
    throw new AppError("not_approved", `“${skill.name}” has no approved version.`);
  }
  if (!skill.enabled) throw new AppError("not_approved", `“${skill.name}” is switched off.`);
  const { version } = await requireVersion(ctx, skill.id, skill.current.digest);
  const decidedClass = SkillClass.parse(version.class);
  const grants = parseJsonColumn(Grants, version.grants ?? "{}");
  const signed = version.decisions.findLast((decision) => decision.decision === "approve");
  const terms = approvalTerms(skill, version, { class: decidedClass, grants });
  if (!signed || signed.subject !== version.subject || terms.subject !== version.subject) {
    throw new AppError(
      "not_approved",
      `What is stored for “${skill.name}” is not what was approved; it has to be reviewed again.`,
    );
  }
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const approved: Omit<ApprovedVersion, typeof minted> = {
    version,
    manifest,
    class: decidedClass,
    grants,
    subject: version.subject ?? "",
  };
  return approved as ApprovedVersion;
}
