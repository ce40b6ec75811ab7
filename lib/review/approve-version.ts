import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import type { SigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { raiseOfferRevision } from "@/lib/db/offer-revision";
import type { Grants } from "@/lib/policy/grants/schema";
import { settleGrants, whyNotGrant } from "@/lib/policy/grants/settle-grants";
import { proposeClass } from "@/lib/policy/propose-class";
import { type SigningRight, signaturesNeeded } from "@/lib/policy/signatures-needed";
import { subjectJson } from "@/lib/policy/signed-statements";
import { findMissingCredential } from "@/lib/settings/credentials/credentials";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { highestOf, openApprovals } from "@/lib/skills/approval/approval-round";
import { checkStoredApproval, subjectOf } from "@/lib/skills/approval/check-stored-approval";
import { isOwnerApproved } from "@/lib/skills/approval/owner-approval";
import { howToActivate } from "@/lib/skills/version-access";
import { describeMissingSignatures, readTrustSources } from "./activation-blockers";
import { type DecisionContext, recordDecision, setActiveVersion } from "./apply-decision";
import { assertHiddenTextExplained, assertSchemaValid } from "./approval-checks";
import type { AttestationKey } from "./attest/attestation-keys";
import { storeAttestation } from "./attest/attestations";
import type { DecideVersionInput } from "./schema";
import { signApproval } from "./signatures";

type ApprovalContext = DecisionContext & {
  key: SigningKey;
  attestationKeys: AttestationKey[];
  given: Pick<DecideVersionInput, "class" | "grants" | "entry" | "comment">;
  right: SigningRight;
};
type Terms = { class: SkillClass; grants: Grants; entry: ScriptEntry | null; subjectJson: string; subject: string };

/**
 * Adds one person's signature. The last signature that the policy requires approves the version with the signed terms.
 */
export async function approveVersion(tx: Tx, ctx: Ctx, act: ApprovalContext): Promise<void> {
  const { actor, skill, version, settings, given, right } = act;
  if (version.state !== "pending" && version.state !== "approved") throw alreadyDecided(skill, version);
  const terms = resolveTerms(act);
  const entry = terms.entry && JSON.stringify(terms.entry);
  await assertCredentialsStored(tx, terms.grants);
  const isServing = version.state === "approved" && version.subject === terms.subject;
  // A reviewer may also sign terms that the owner approved for their own use; other people can then use the skill.
  const isWider = right !== "own" && isOwnerApproved({ skill, version });
  const isSettled = isServing && !isWider && openApprovals(version).length === 0;
  if (isSettled && (await isStillSufficient(ctx, act))) throw alreadyDecided(skill, version);
  const earlier = openApprovals(version);
  assertSameTerms(earlier, terms.subject);
  await assertHiddenTextExplained(ctx, version, given.comment);
  const needed = signaturesNeeded(highestOf(version, terms.class), settings);
  const isComplete = earlier.length + 1 >= needed;
  const at = ctx.now();
  const id = newId();
  // An older version that is approved again with new terms does not replace the active version.
  const activates =
    isComplete && (version.state === "pending" || skill.currentId === version.id || skill.currentId === null);
  const signing = { id, at, needed, subject: terms.subject, basis: right, comment: given.comment, activates };
  const { signed, serves } = await signApproval(tx, ctx, { ...act, ...signing });
  if (isComplete) {
    await tx.decision.updateMany({ where: { versionId: version.id, standing: "counts" }, data: { standing: "void" } });
    const round = { id: { in: earlier.map((decision) => decision.id) } };
    await tx.decision.updateMany({ where: round, data: { standing: "counts" } });
    const stored = { class: terms.class, grants: JSON.stringify(terms.grants), entry, subject: terms.subject };
    const decided = { ...stored, state: "approved", decidedAt: at, returnedReason: null };
    await tx.version.update({ where: { id: version.id }, data: decided });
    // The terms are unchanged, so only the set of possible callers grows.
    if (isWider) await raiseOfferRevision(ctx);
    if (activates) await setActiveVersion(tx, ctx, skill, { ...version, entry }, terms.class);
  }
  await recordDecision(tx, ctx, act, {
    decision: "approve",
    sentence: version.state === "approved" ? "approved another class or other permissions for" : "approved",
    given: earlier.length + 1,
    needed,
    serves,
    row: {
      id,
      createdAt: at,
      comment: given.comment,
      class: terms.class,
      grants: JSON.stringify(terms.grants),
      entry,
      subject: terms.subject,
      subjectJson: terms.subjectJson,
      standing: isComplete ? "counts" : "open",
      actorId: actor.userId,
      actorName: actor.name,
      ...signed,
    },
  });
  if (isComplete) await storeAttestation(tx, ctx, { keys: act.attestationKeys, skill, versionId: version.id });
}

/** The terms to sign; by default as the files declare, and never with network access. */
export function resolveTerms({
  skill,
  version,
  given,
}: Pick<DecisionContext, "skill" | "version"> & {
  given: Pick<DecideVersionInput, "class" | "grants" | "entry">;
}): Terms {
  assertSchemaValid(version);
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const decidedClass = given.class ?? proposeClass(manifest, version.files).class;
  const grants = settleGrants(manifest, given.grants);
  const problem = whyNotGrant(decidedClass, grants);
  if (problem)
    throw new AppError("invalid", `These permissions cannot be granted: ${problem.message}.`, { errors: [problem] });
  const entry = given.entry ?? null;
  const json = subjectJson(subjectOf(skill, version, { class: decidedClass, grants, entry }));
  return { class: decidedClass, grants, entry, subjectJson: json, subject: sha256Hex(json) };
}

/** Whether the approval verifies and meets the current policy. If not, the same terms may be signed again. */
async function isStillSufficient(ctx: Ctx, act: DecisionContext): Promise<boolean> {
  if ((await checkStoredApproval(ctx, act)) !== null) return false;
  return describeMissingSignatures(act, await readTrustSources(act.version.digest)) === null;
}

function assertSameTerms(
  earlier: { subject: string | null; actorName: string; class: string | null }[],
  subject: string,
) {
  const other = earlier.find((decision) => decision.subject !== subject);
  if (!other) return;
  throw new AppError(
    "conflict",
    `${other.actorName} approved this version as ${other.class}, with other permissions or another script. All approvals must be for the same class, permissions and script. Compare them, then approve again.`,
  );
}

async function assertCredentialsStored(db: Tx, grants: Grants): Promise<void> {
  const missing = await findMissingCredential(db, grants);
  if (missing === null) return;
  const message = `the credential ${grants.credentials?.[missing]?.credential} does not exist`;
  const path = `grants.credentials.${missing}.credential`;
  throw new AppError("invalid", `These permissions cannot be granted: ${message}.`, { errors: [{ path, message }] });
}

type Decided = Parameters<typeof howToActivate>[1] & {
  decisions: { decision: string; actorName: string; createdAt: Date }[];
};

/** Error for a version that is already decided: names the person and time, and how to activate it. */
export function alreadyDecided(skill: Parameters<typeof howToActivate>[0], version: Decided): AppError {
  const { digest, state, decisions } = version;
  const last = decisions.findLast(({ decision }) => decision !== "activate");
  const who = last ? `: ${last.actorName} decided on it at ${last.createdAt.toISOString()}` : "";
  const what = `Version ${digest.slice(0, 7)} is already ${state.replace("_", " ")}${who}.`;
  return new AppError("conflict", `${what}${howToActivate(skill, version)}`);
}
