import type { PersonActor } from "@/lib/core/actor";
import { AppError, type FieldError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { loadSigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { ownerIdOf } from "@/lib/policy/ownership";
import { requireScope } from "@/lib/policy/require-scope";
import { type SigningPolicy, type SigningRight, signerOf } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/settings";
import { checkScriptEntry } from "@/lib/skill-format/entry/check-script-entry";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { isPipeline } from "@/lib/skill-format/schema";
import { type ChosenTerms, judgeApprover, openApprovals } from "@/lib/skills/approval/approval-round";
import { servedManifest } from "@/lib/skills/approval/served-manifest";
import type { SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { getVersion } from "@/lib/skills/versions/get-version";
import { readBlob } from "@/lib/skills/versions/read-blob";
import type { Version } from "@/lib/skills/versions/schema";

import { activateInstead, prepareActivation } from "./activate-version";
import { type DecisionAct, dropCurrent, recordDecision } from "./apply-decision";
import { inspectBeforeApproval } from "./approval-checks";
import { approveVersion, decidedAlready } from "./approve-version";
import type { DecideVersionInput } from "./schema";

type Refusal = Exclude<DecideVersionInput["decision"], "approve">;

const NEXT_STATE = { request_changes: "changes_requested", reject: "rejected", revoke: "revoked" } as const;

const SENTENCE = { request_changes: "asked for changes to", reject: "rejected", revoke: "revoked" } as const;

const FIRST_BYTES = 256;

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

type Question = {
  skill: SkillRow;
  version: VersionRow;
  decision: DecideVersionInput["decision"];
  given: ChosenTerms;
  settings: SigningPolicy;
};

/**
 * Owners revoke what is theirs, and approve it within the plain sandbox; everything else takes the scope `review`. Answers
 * the right on which an approval is signed. `separation_of_duties`: another person has to sign these terms.
 */
function assertMayDecide(actor: PersonActor, { skill, version, decision, given, settings }: Question): SigningRight {
  const { canReview } = signerOf(actor);
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  if (decision === "revoke" && isOwner) return "own";
  if (!canReview && !(isOwner && decision === "approve")) requireScope(actor, "review");
  if (decision !== "approve") return "review";
  const judged = judgeApprover(actor, skill, version, settings, given);
  if ("whyNot" in judged) throw new AppError("separation_of_duties", judged.whyNot);
  return judged.right;
}

/**
 * Throws `invalid` with each place when this script of a version cannot be its entry: its files name one, it is not among
 * them, nothing says what starts it, or the call and the schema do not go together.
 */
async function assertEntryFits(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<void> {
  const errors = await findErrors(ctx, version, entry);
  const [first] = errors;
  if (first === undefined) return;
  const message = `This script cannot be made runnable so: ${first.path} ${first.message}.`;
  throw new AppError("invalid", message, { errors });
}

async function findErrors(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<FieldError[]> {
  const manifest = servedManifest({ manifest: version.manifest, entry: null });
  const declared = manifest.entry;
  if (isPipeline(manifest)) return [{ path: "entry", message: "is not open: it is a pipeline" }];
  if (declared !== null) return [{ path: "entry", message: `is not open: its files name the entry ${declared}` }];
  const file = version.files.find(({ path }) => path === entry.path);
  if (file === undefined) return [{ path: "entry.path", message: "is not among its files" }];
  const bytes = await readBlob(ctx, file);
  const firstLine = Buffer.from(bytes.subarray(0, FIRST_BYTES)).toString("latin1").split("\n", 1)[0] ?? "";
  return checkScriptEntry(entry, firstLine);
}

/**
 * Asks for changes to a version, rejects or revokes it. On an approved version whose other terms wait for signatures, the
 * first two close that round and leave what stands.
 */
async function refuseVersion(
  tx: Tx,
  ctx: Ctx,
  act: DecisionAct & { decision: Refusal; comment: string },
): Promise<void> {
  const { actor, skill, version, decision, comment } = act;
  const closesRound = decision !== "revoke" && version.state === "approved" && openApprovals(version).length > 0;
  assertState(act, decision, closesRound);
  const at = ctx.now();
  const ended = decision === "revoke" ? { in: ["open", "counts"] } : "open";
  await tx.decision.updateMany({ where: { versionId: version.id, standing: ended }, data: { standing: "void" } });
  if (!closesRound) {
    await tx.version.update({
      where: { id: version.id },
      data: { state: NEXT_STATE[decision], decidedAt: at, returnedReason: null },
    });
    await dropCurrent(tx, ctx, skill, version);
  }
  await recordDecision(tx, ctx, act, {
    decision,
    sentence: closesRound ? "declined other terms for" : SENTENCE[decision],
    given: 1,
    needed: 1,
    row: { id: newId(), createdAt: at, comment, actorId: actor.userId, actorName: actor.name },
  });
}

function assertState({ skill, version }: DecisionAct, decision: Refusal, closesRound: boolean): void {
  const wanted = decision === "revoke" ? "approved" : "pending";
  if (version.state === wanted || closesRound) return;
  if (version.decisions.length > 0) throw decidedAlready(skill, version);
  const state = version.state.replace("_", " ");
  throw new AppError(
    "conflict",
    `Version ${version.digest.slice(0, 7)} is ${state}; only ${wanted} versions can be ${NEXT_STATE[decision].replace("_", " ")}.`,
  );
}
