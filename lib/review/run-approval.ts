import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson, keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { Grants } from "@/lib/policy/grants/schema";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { JsonObject, SkillClass, type SkillManifest } from "@/lib/skill-format/schema";
import { readAuditedDecisions, whyAuditForbids } from "@/lib/skills/approval/audited-decisions";
import { checkServable } from "@/lib/skills/approval/check-servable";
import { checkStoredApproval, type StoredApproval } from "@/lib/skills/approval/check-stored-approval";
import { type ApprovedSkill, isOwnerApproved, whyNotServedToCaller } from "@/lib/skills/approval/owner-approval";
import { decidedEntry, servedManifest } from "@/lib/skills/approval/served-manifest";
import { assertNotHidden, loadFilesAndDecisions, type SkillRow, unlistedMessage } from "@/lib/skills/skill-access";
import type { VersionRow } from "@/lib/skills/version-access";
import { recordTampering } from "@/lib/skills/versions/read-blob";

declare const minted: unique symbol;

/** A version people approved and that serves now. Only `requireApproved` makes one, and starting a run needs one. */
export type ApprovedVersion = {
  readonly [minted]: true;
  readonly version: VersionRow;
  /** With the entry and the schema that the decision added, if it did. */
  readonly manifest: SkillManifest;
  /** The script that the decision made the entry. */
  readonly script: ScriptEntry | null;
  readonly class: SkillClass;
  readonly grants: Grants;
  readonly subject: string;
  /** Its owner approved it alone, for their own use. */
  readonly isForOwnUse: boolean;
};

/**
 * The approved version of an enabled skill. The digest is computed anew over the list of files and the subject over what
 * is stored, and every needed signature is checked: when content, class, grants, owner or the active version were changed
 * behind our back, the answer is `not_approved`, and the audit has an event `version.tampered`. `not_approved` also for what
 * its owner approved alone, when somebody else asks or it is more than an owner approves alone. `isDryRun`: what the lists of a persona say
 * is left to the gate, which a dry run answers instead of failing.
 */
export async function requireApproved(
  ctx: Ctx,
  skill: SkillRow,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<ApprovedVersion> {
  if (!skill.listed) throw new AppError("not_approved", unlistedMessage(skill), { rule: "unlisted" });
  if (skill.current?.state !== "approved") {
    throw new AppError("not_approved", `“${skill.name}” has no approved version.`);
  }
  if (!skill.enabled) throw new AppError("not_approved", `“${skill.name}” is switched off.`);
  if (!isDryRun) await assertNotHidden(ctx, skill);
  const version: VersionRow = { ...skill.current, ...(await loadFilesAndDecisions(ctx, skill.current.id)) };
  const problem = await checkServable(ctx, { skill, version });
  if (problem !== null) {
    await recordTampering(ctx, { skill, versionDigest: version.digest, problem });
    throw new AppError(
      "not_approved",
      `What is stored for “${skill.name}” is not what was approved: ${problem}. It has to be reviewed again.`,
    );
  }
  const own = whyNotServedToCaller({ skill, version }, isPerson(ctx.actor) ? ctx.actor.userId : null);
  if (own !== null) throw new AppError("not_approved", `“${skill.name}” cannot be used: ${own}.`, { rule: "own-use" });
  const approved: Omit<ApprovedVersion, typeof minted> = {
    version,
    manifest: servedManifest(version),
    script: decidedEntry(version),
    class: SkillClass.parse(version.class),
    grants: keepParsed(Grants, version.grants ?? "{}"),
    subject: version.subject ?? "",
    isForOwnUse: isOwnerApproved({ skill, version }),
  };
  return approved as ApprovedVersion;
}

type PinnedRun = StoredApproval & {
  callerKind: string;
  callerId: string;
  versionDigest: string;
  subject: string;
  class: string;
  args: string;
  argsDigest: string;
  env: string;
  version: { state: string } & ApprovedSkill["version"];
};

/**
 * Why a stored run may not start under the approval it pinned: the approval no longer verifies or was ended, or what the run keeps of
 * it (digest, subject, class, environment, arguments) was changed, or the owner approved it alone and others ask. Null when all holds; else the end of a sentence.
 */
export async function whyRunLostApproval(ctx: Ctx, run: PinnedRun): Promise<string | null> {
  const { skill, version } = run;
  const problem = await checkStoredApproval(ctx, { skill, version });
  if (problem !== null) return problem;
  // An ordinary run may start on the version before the active one.
  const events = await readAuditedDecisions(sqlOf(ctx), await chainKeyOf(ctx.database), [skill.id]);
  const ended = whyAuditForbids(events, version, false);
  if (ended !== null) return ended;
  const own = whyNotServedToCaller({ skill, version }, run.callerKind === "system" ? null : run.callerId);
  if (own !== null) return own;
  if (run.versionDigest !== version.digest) return "the run names another version than it was started with";
  if (run.class !== version.class) return "the class of the run is not the one that was approved";
  try {
    const { env = [] } = keepParsed(Grants, version.grants ?? "{}");
    if (run.env !== JSON.stringify(env)) return "the environment of the run is not what was granted";
    const args = sha256Hex(canonicalJson(parseJsonColumn(JsonObject, run.args)));
    return args === run.argsDigest ? null : "the arguments of the run are not those it was started with";
  } catch {
    return "the run is no longer readable";
  }
}
