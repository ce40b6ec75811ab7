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

import { activateReplacement, prepareActivation } from "./activate-version";
import { clearActiveVersion, type DecisionContext, recordDecision } from "./apply-decision";
import { inspectBeforeApproval } from "./approval-checks";
import { alreadyDecided, approveVersion } from "./approve-version";
import { loadAttestationKeys } from "./attest/attestation-keys";
import type { DecideVersionInput } from "./schema";

type Refusal = Exclude<DecideVersionInput["decision"], "approve">;

const NEXT_STATE = { request_changes: "changes_requested", reject: "rejected", revoke: "revoked" } as const;

const VERBS = { request_changes: "asked for changes to", reject: "rejected", revoke: "revoked" } as const;

const FIRST_LINE_BYTES = 256;

/**
 * Records a person's decision on a version. An approval is signed with the instance's key and takes effect when enough
 * people have signed the same terms. Approving an approved version with other terms starts a new round; the old terms
 * stay in effect until it is complete. A revocation takes effect at once on every endpoint; with `activate`, another
 * approved version becomes active in the same transaction, or nothing is revoked. Throws `separation_of_duties` when
 * another person has to sign, `conflict` when another person decided meanwhile, and `invalid` for grants that the class
 * does not allow, an entry that cannot start, or unexplained hidden characters.
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
  // Must precede all checks of the terms: the answer must not reveal whether a hidden credential exists.
  assertMayDecide(actor, { ...found, decision, given, settings: await getSettings(ctx) });
  if (activate !== undefined) assertReplaceable(found, decision);
  const next = activate === undefined ? null : await prepareActivation(ctx, found.skill.id, activate);
  const seen = new Set(found.version.decisions.map(({ id }) => id));
  if (input.decision === "approve") {
    await inspectBeforeApproval(ctx, found, input.comment);
    if (input.entry) await assertEntryFits(ctx, found.version, input.entry);
  } else if (input.entry) {
    throw new AppError("invalid", "A script can be made runnable only by an approval.", {
      errors: [{ path: "entry", message: "can be given only with the decision “approve”" }],
    });
  }
  const attestationKeys = await loadAttestationKeys(ctx.database.keyFolder, ctx.now());
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, idOrName, digest);
    const settings = await getSettings(txCtx);
    const right = assertMayDecide(actor, { skill, version, decision, given, settings });
    // A concurrent activation does not block a revocation, because it does not change the approval.
    const last = version.decisions.findLast(
      ({ actorId, decision: made }) => actorId !== actor.userId && made !== "activate",
    );
    const changedMeanwhile =
      (input.expects !== undefined && input.expects !== version.state) ||
      (last !== undefined && version.decidedAt !== null && !seen.has(last.id));
    if (changedMeanwhile && version.state !== "pending") throw alreadyDecided(skill, version);
    const act = { actor, skill, version, settings };
    if (decision === "approve") await approveVersion(tx, txCtx, { ...act, key, attestationKeys, given, right });
    else await refuseVersion(tx, txCtx, { ...act, decision, comment: input.comment });
    if (next !== null) {
      assertReplaceable({ skill, version }, decision);
      const former = { ...skill, current: version };
      await activateReplacement(tx, txCtx, { next, actor, skill: former, comment: input.comment });
    }
    return getVersion(txCtx, skill.id, version.digest);
  });
}

function assertReplaceable(
  { skill, version }: { skill: SkillRow; version: { id: string; number: number } },
  decision: DecideVersionInput["decision"],
): void {
  if (decision === "revoke" && skill.currentId === version.id) return;
  const message =
    decision === "revoke"
      ? `version ${version.number} is not the active one. Revoke it without a replacement`
      : "a replacement can be given only with the decision “revoke”";
  throw new AppError("invalid", `This version cannot be replaced: ${message}.`, {
    errors: [{ path: "activate", message }],
  });
}

type DecisionRequest = {
  skill: SkillRow;
  version: VersionRow;
  decision: DecideVersionInput["decision"];
  given: ChosenTerms;
  settings: SigningPolicy;
};

/**
 * Owners may revoke their skills and approve them within the plain sandbox; everything else requires the scope
 * `review`. Returns the right on which an approval is signed; throws `separation_of_duties` when another person has to
 * sign.
 */
function assertMayDecide(
  actor: PersonActor,
  { skill, version, decision, given, settings }: DecisionRequest,
): SigningRight {
  const { canReview } = signerOf(actor);
  const isOwner = ownerIdOf(skill.ownerKey) === actor.userId;
  if (decision === "revoke" && isOwner) return "own";
  if (!canReview && !(isOwner && decision === "approve")) requireScope(actor, "review");
  if (decision !== "approve") return "review";
  const judged = judgeApprover(actor, skill, version, settings, given);
  if ("whyNot" in judged) throw new AppError("separation_of_duties", judged.whyNot);
  return judged.right;
}

/** Throws `invalid` for an entry that is declared, missing, without interpreter, or does not match the schema. */
async function assertEntryFits(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<void> {
  const errors = await findEntryErrors(ctx, version, entry);
  const [first] = errors;
  if (first === undefined) return;
  const message = `This script cannot be made runnable: ${first.message.replace(/\.$/, "")}.`;
  throw new AppError("invalid", message, { errors });
}

async function findEntryErrors(
  ctx: Ctx,
  version: Pick<VersionRow, "files" | "manifest">,
  entry: ScriptEntry,
): Promise<FieldError[]> {
  const manifest = servedManifest({ manifest: version.manifest, entry: null });
  const declared = manifest.entry;
  if (isPipeline(manifest)) return [{ path: "entry", message: "The version is a pipeline, which runs no script" }];
  if (declared !== null) return [{ path: "entry", message: `The version's files already name the entry ${declared}` }];
  const file = version.files.find(({ path }) => path === entry.path);
  if (file === undefined) return [{ path: "entry.path", message: "The script is not among the version's files" }];
  const bytes = await readBlob(ctx, file);
  const firstLine = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES)).toString("latin1").split("\n", 1)[0] ?? "";
  return checkScriptEntry(entry, firstLine);
}

/** Requests changes, rejects or revokes. The first two only close an open round of an approved version. */
async function refuseVersion(
  tx: Tx,
  ctx: Ctx,
  act: DecisionContext & { decision: Refusal; comment: string },
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
    await clearActiveVersion(tx, ctx, skill, version);
  }
  await recordDecision(tx, ctx, act, {
    decision,
    sentence: closesRound ? "rejected another class or other permissions for" : VERBS[decision],
    given: 1,
    needed: 1,
    row: { id: newId(), createdAt: at, comment, actorId: actor.userId, actorName: actor.name },
  });
}

function assertState({ skill, version }: DecisionContext, decision: Refusal, closesRound: boolean): void {
  const wanted = decision === "revoke" ? "approved" : "pending";
  if (version.state === wanted || closesRound) return;
  if (version.decisions.length > 0) throw alreadyDecided(skill, version);
  const state = version.state.replace("_", " ");
  throw new AppError(
    "conflict",
    `Version ${version.digest.slice(0, 7)} is ${state}; only ${wanted} versions can be ${NEXT_STATE[decision].replace("_", " ")}.`,
  );
}
