import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson, parseJsonColumn } from "@/lib/core/json";
import { keepParsed } from "@/lib/core/keep-parsed";
import type { Ctx } from "@/lib/db/context";
import { sqlOf } from "@/lib/db/sql";
import { Grants } from "@/lib/policy/grants/schema";
import { JsonObject } from "@/lib/skill-format/schema";
import { checkStoredApproval, type StoredApproval } from "@/lib/skills/standing/check-stored-approval";
import { type OwnUse, whyNotForCaller } from "@/lib/skills/standing/own-use";
import { readAuditedDecisions, whyNotInAudit } from "@/lib/skills/standing/standing-in-audit";

type PinnedRun = StoredApproval & {
  callerKind: string;
  callerId: string;
  versionDigest: string;
  subject: string;
  class: string;
  args: string;
  argsDigest: string;
  env: string;
  version: { state: string } & OwnUse["version"];
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
  const ended = whyNotInAudit(events, version, false);
  if (ended !== null) return ended;
  const own = whyNotForCaller({ skill, version }, run.callerKind === "system" ? null : run.callerId);
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
