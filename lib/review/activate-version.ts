import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { SigningRight } from "@/lib/policy/signatures-needed";
import { ActivationStatement, activationText } from "@/lib/policy/signed-statements";
import { getSettings } from "@/lib/settings/settings";
import { SkillClass } from "@/lib/skill-format/schema";
import { judgeActivator } from "@/lib/skills/approval/activation-rights";
import { checkServable, nextActivationNumber } from "@/lib/skills/approval/check-servable";
import { tierOf } from "@/lib/skills/approval/trust";
import { getSkill } from "@/lib/skills/get-skill";
import type { Skill } from "@/lib/skills/schema";
import { requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { recordTampering } from "@/lib/skills/versions/read-blob";
import { findActivationBlockers, readTrustSources, type TrustSources } from "./activation-blockers";
import { type DecisionContext, recordDecision, setActiveVersion } from "./apply-decision";
import { readVerifiedFiles } from "./approval-checks";
import { ensureScanned } from "./open-version";
import type { ActivateVersionInput } from "./schema";
import { storePublicKey } from "./signatures";

/**
 * Makes an approved version the active one of its skill. Checks its approval against the current policy, signs the
 * activation with the next sequence number and records it in the audit log. Does not enable or disable the skill. Returns
 * the skill unchanged if the version is already active. Throws `separation_of_duties` or `forbidden` when the caller
 * may not approve the version alone, `not_approved` (with the reasons in `errors`) and `conflict` when another version
 * became active since the caller looked.
 */
export async function activateVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  { comment, expects }: ActivateVersionInput,
): Promise<Skill> {
  const actor = requireScope(ctx.actor, "write");
  const { id } = await requireSkill(ctx, idOrName);
  const prepared = await prepareActivation(ctx, id, digest);
  return inTransaction(ctx, async (tx, txCtx) => {
    const skill = await requireSkill(txCtx, id);
    const active = skill.current?.digest ?? null;
    if (expects !== undefined && (expects?.toLowerCase() ?? null) !== active) throw activeVersionChanged(skill);
    await activatePrepared(tx, txCtx, { prepared, actor, skill, comment });
    return getSkill(txCtx, id);
  });
}

type Prepared = { digest: string; key: SigningKey; vouched: TrustSources };

/**
 * Does the parts of an activation that must run outside its transaction: checks the caller's right, scans the version
 * with the current rules and compares its bytes with the digest (`not_approved`, with an audit event, when they
 * differ).
 */
export async function prepareActivation(ctx: Ctx, skillId: string, digest: string): Promise<Prepared> {
  const actor = requireScope(ctx.actor, "write");
  const found = await requireVersion(ctx, skillId, digest);
  assertApproved(found.skill, found.version);
  assertMayActivate(actor, found.skill, found.version, await getSettings(ctx));
  await readVerifiedFiles(ctx, found, "active");
  await ensureScanned(ctx, skillId, found.version.digest);
  const key = await loadSigningKey(ctx.database.keyFolder);
  return { digest: found.version.digest, key, vouched: await readTrustSources(found.version.digest) };
}

type Activation = { prepared: Prepared; actor: PersonActor; skill: SkillRow; comment: string };

/** Activates the replacement in the transaction that revoked the active version. An enabled skill stays enabled. */
export async function activateReplacement(
  tx: Tx,
  ctx: Ctx,
  { next, ...activation }: Omit<Activation, "prepared"> & { next: Prepared },
): Promise<void> {
  const { skill } = activation;
  await activatePrepared(tx, ctx, { ...activation, prepared: next });
  if (skill.enabled) await tx.skill.update({ where: { id: skill.id }, data: { enabled: true } });
}

async function activatePrepared(tx: Tx, ctx: Ctx, { prepared, actor, skill, comment }: Activation): Promise<void> {
  const { version } = await requireVersion(ctx, skill.id, prepared.digest);
  const settings = await getSettings(ctx);
  assertApproved(skill, version);
  const right = assertMayActivate(actor, skill, version, settings);
  // A version that is active only according to the database (no valid activation) can be activated again, with a
  // signature.
  if (skill.currentId === version.id && (await checkServable(ctx, { skill, version })) === null) return;
  const missing = await findActivationBlockers(ctx, { skill, version, settings }, prepared.vouched);
  if (missing.length > 0) throw await notActivatable(ctx, skill, version, missing);
  const act = { actor, skill, version, settings };
  const [id, at] = [newId(), ctx.now()];
  const replaces = skill.current?.digest ?? null;
  const { signed, serves } = await signActivation(tx, ctx, {
    ...act,
    key: prepared.key,
    right,
    comment,
    id,
    at,
    replaces,
  });
  await setActiveVersion(tx, ctx, skill, version, SkillClass.parse(version.class));
  await recordDecision(tx, ctx, act, {
    ...{ decision: "activate", sentence: "activated", given: 1, needed: 1, serves },
    data: { replaces, basis: right },
    row: {
      ...{ id, createdAt: at, comment, subject: version.subject },
      ...{ actorId: actor.userId, actorName: actor.name },
      ...signed,
    },
  });
}

type ToSign = DecisionContext & {
  key: SigningKey;
  right: SigningRight;
  comment: string;
  id: string;
  at: Date;
  replaces: string | null;
};

async function signActivation(
  tx: Tx,
  ctx: Ctx,
  { actor, skill, version, settings, key, right, comment, id, at, replaces }: ToSign,
) {
  const serves = await nextActivationNumber(ctx, skill.id);
  const statement = activationText(
    ActivationStatement.parse({
      ...{ format: "skillgate-activation/1", decisionId: id, subject: version.subject, versionDigest: version.digest },
      ...{ signer: { id: actor.userId, name: actor.name }, at: at.toISOString(), soloMode: settings.soloMode },
      ...{ tier: await tierOf(skill, version), basis: right, serves, replaces, commentDigest: sha256Hex(comment) },
    }),
  );
  await storePublicKey(tx, key, at);
  return { signed: { statement, signature: key.sign(statement), keyId: key.keyId }, serves };
}

function assertMayActivate(...question: Parameters<typeof judgeActivator>): SigningRight {
  const judged = judgeActivator(...question);
  if ("whyNot" in judged) throw new AppError("separation_of_duties", judged.whyNot);
  return judged.right;
}

const STATES: Record<string, string> = {
  draft: "is a draft. Submit it for review",
  pending: "is pending review",
  changes_requested: "was returned for changes. Change it and submit it again",
  rejected: "was rejected. These bytes cannot be approved",
  revoked: "was revoked. These bytes cannot be approved again",
};

function assertApproved(skill: SkillRow, version: VersionRow): void {
  if (version.state === "approved") return;
  const why = version.returnedReason ?? null;
  const message = `${STATES[version.state] ?? `is ${version.state}`}${version.state === "pending" && why !== null ? `, because its approval no longer counts: ${why}` : "."}`;
  throw new AppError("not_approved", `${nameOf(skill, version)} cannot be activated: it ${message}`, {
    errors: [{ path: "state", message: message.replace(/\.$/, "") }],
  });
}

async function notActivatable(
  ctx: Ctx,
  skill: SkillRow,
  version: VersionRow,
  missing: { path: string; message: string }[],
): Promise<AppError> {
  const [first] = missing;
  if (first?.path === "approval") {
    await recordTampering(ctx, { skill, versionDigest: version.digest, problem: first.message });
  }
  const all = missing.map(({ message }) => message).join("; ");
  return new AppError("not_approved", `${nameOf(skill, version)} cannot be activated: ${all}.`, { errors: missing });
}

function activeVersionChanged({ name, current }: SkillRow): AppError {
  const now = current === null ? "no version is active now" : `version ${current.number} is active now`;
  return new AppError(
    "conflict",
    `“${name}” has changed since you opened it: ${now}. Reload the page and decide again.`,
  );
}

function nameOf(skill: { name: string }, { number, digest }: VersionRow): string {
  return `Version ${number} (${digest.slice(0, 7)}) of “${skill.name}”`;
}
