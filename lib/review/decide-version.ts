import { AppError } from "@/lib/core/errors";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import { getVersion } from "@/lib/skills/get-version";
import type { Version } from "@/lib/skills/schema";
import type { SkillRow } from "@/lib/skills/skill-access";
import { requireVersion } from "@/lib/skills/version-access";
import { activateInstead, prepareActivation } from "./activate-version";
import { approveVersion } from "./approve-version";
import { assertEntryFits } from "./assert-entry-fits";
import { assertMayDecide } from "./assert-may-decide";
import { decidedAlready } from "./decided-already";
import { inspectBeforeApproval } from "./inspect-before-approval";
import { refuseVersion } from "./refuse-version";
import type { DecideVersionInput } from "./schema";

/**
 * A person's decision on a version. An approval is signed with the instance's key; when as many people have signed the
 * same terms as the policy asks for, the version serves under them. Approving an approved version with another class,
 * other grants or another entry is a new round: the old terms stand until it is complete. Revoking closes every door at once.
 *
 * With `activate`, another approved version takes the place of the revoked one, or nothing is revoked.
 *
 * `separation_of_duties`: another person has to sign these terms; the message says why. `conflict`: somebody decided meanwhile; the message names
 * who. `invalid`: grants that this class cannot have, an entry that cannot be started or called so, or hidden characters
 * without a comment that says why.
 */
export async function decideVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  input: DecideVersionInput,
): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  const key = await loadSigningKey(ctx.database.keyFolder);
  const found = await requireVersion(ctx, idOrName, digest);
  const { decision, activate, ...given } = input;
  // Before anything is said about the terms: a credential that is hidden and one that does not exist answer the same.
  assertMayDecide(actor, { ...found, decision, given, settings: await getSettings(ctx) });
  if (activate !== undefined) assertReplaces(found, decision);
  const next = activate === undefined ? null : await prepareActivation(ctx, found.skill.id, activate);
  const seen = new Set(found.version.decisions.map(({ id }) => id));
  if (input.decision === "approve") {
    await inspectBeforeApproval(ctx, found, input.comment);
    if (input.entry) await assertEntryFits(ctx, found.version, input.entry);
  } else if (input.entry) {
    throw new AppError("invalid", "Only an approval makes a script runnable.", {
      errors: [{ path: "entry", message: "goes with the decision approve" }],
    });
  }
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, idOrName, digest);
    const settings = await getSettings(txCtx);
    const right = assertMayDecide(actor, { skill, version, decision, given, settings });
    // Nor does an activation that came between stop a revocation: it decides nothing about the approval.
    const last = version.decisions.findLast(
      ({ actorId, decision: made }) => actorId !== actor.userId && made !== "activate",
    );
    const changedMeanwhile =
      (input.expects !== undefined && input.expects !== version.state) ||
      (last !== undefined && version.decidedAt !== null && !seen.has(last.id));
    if (changedMeanwhile && version.state !== "pending") throw decidedAlready(skill, version);
    const act = { actor, skill, version, settings };
    if (decision === "approve") await approveVersion(tx, txCtx, { ...act, key, given, right });
    else await refuseVersion(tx, txCtx, { ...act, decision, comment: input.comment });
    if (next !== null) {
      assertReplaces({ skill, version }, decision);
      const former = { ...skill, current: version };
      await activateInstead(tx, txCtx, { next, actor, skill: former, comment: input.comment });
    }
    return getVersion(txCtx, skill.id, version.digest);
  });
}

function assertReplaces(
  { skill, version }: { skill: SkillRow; version: { id: string; number: number } },
  decision: DecideVersionInput["decision"],
): void {
  if (decision === "revoke" && skill.currentId === version.id) return;
  const message =
    decision === "revoke"
      ? `version ${version.number} is not the active one: revoke it without a version that replaces it`
      : "goes with the decision revoke";
  throw new AppError("invalid", `No version takes the place of this one: ${message}.`, {
    errors: [{ path: "activate", message }],
  });
}
