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

/** An approved, active version. Only `requireApproved` creates one, and starting a run requires one. */
export type ApprovedVersion = {
  readonly [minted]: true;
  readonly version: VersionRow;
  /** Includes the entry and schema that the decision added. */
  readonly manifest: SkillManifest;
  readonly script: ScriptEntry | null;
  readonly class: SkillClass;
  readonly grants: Grants;
  readonly subject: string;
  readonly isForOwnUse: boolean;
};

/**
 * Returns the approved version of an enabled skill. Recomputes the digest from the file list and the subject from the
 * stored data, and verifies every required signature. Throws `not_approved` and records `version.tampered` when the
 * database was changed outside the server. Also throws `not_approved` when the owner approved the version alone and
 * another person asks, or it exceeds what owners may approve. With `isDryRun` the persona's lists are not checked here,
 * because the dry run reports them.
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
      `The stored data of “${skill.name}” does not match its approval: ${problem}. A reviewer has to approve it again.`,
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
 * Why a stored run may not start under its pinned approval: the approval no longer verifies or was ended, the run's
 * stored digest, subject, class, environment or arguments changed, or the owner approved it alone and another person
 * asks. Returns a clause, or null.
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
  if (run.versionDigest !== version.digest) return "the run names another version than at its start";
  if (run.class !== version.class) return "the run's class is not the approved class";
  try {
    const { env = [] } = keepParsed(Grants, version.grants ?? "{}");
    if (run.env !== JSON.stringify(env)) return "the run's environment is not the granted one";
    const args = sha256Hex(canonicalJson(parseJsonColumn(JsonObject, run.args)));
    return args === run.argsDigest ? null : "the run's arguments have changed since its start";
  } catch {
    return "the stored run cannot be read";
  }
}
