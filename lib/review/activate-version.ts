import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { ActivationStatement, activationText } from "@/lib/policy/activation-statement";
import { requireScope } from "@/lib/policy/require-scope";
import type { SigningRight } from "@/lib/policy/signatures-needed";
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
import { type DecisionAct, recordDecision, serveVersion } from "./apply-decision";
import { readAsDigest } from "./approval-checks";
import { scanFirst } from "./open-version";

import type { ActivateVersionInput } from "./schema";
import { keepKey } from "./signatures";
import { readVouched, type Vouched, whyNotActivate } from "./why-not-activate";

/**
 * Makes an approved version that is not revoked the active one of its skill. The approval that stands is judged by today's
 * policy; the activation is signed with the next place in the order of activations, and the audit has the same place. The
 * switch of the skill stays as it is. The active version itself is answered as it is.
 *
 * `separation_of_duties` or `forbidden`: the caller may not approve it alone. `not_approved`: what it lacks stands in the
 * message and in `errors`. `conflict`: another version became active since the caller looked.
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
    if (expects !== undefined && (expects?.toLowerCase() ?? null) !== active) throw activatedMeanwhile(skill);
    await activatePrepared(tx, txCtx, { prepared, actor, skill, comment });
    return getSkill(txCtx, id);
  });
}

type Prepared = { digest: string; key: SigningKey; vouched: Vouched };

/**
 * What an activation needs from outside its transaction: that the caller may make it, the version scanned with today's rules, and
 * its bytes found to be those of the digest (`not_approved`, with an event, when they are not).
 */
export async function prepareActivation(ctx: Ctx, skillId: string, digest: string): Promise<Prepared> {
  const actor = requireScope(ctx.actor, "write");
  const found = await requireVersion(ctx, skillId, digest);
  assertApproved(found.skill, found.version);
  assertMayActivate(actor, found.skill, found.version, await getSettings(ctx));
  await readAsDigest(ctx, found, "active");
  await scanFirst(ctx, skillId, found.version.digest);
  const key = await loadSigningKey(ctx.database.keyFolder);
  return { digest: found.version.digest, key, vouched: await readVouched(found.version.digest) };
}

type Activation = { prepared: Prepared; actor: PersonActor; skill: SkillRow; comment: string };

/** In the transaction that revoked the active version: another one takes its place, and a skill that was on stays on. */
export async function activateInstead(
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
  // What is the active one by the database alone can be made so again, signed.
  if (skill.currentId === version.id && (await checkServable(ctx, { skill, version })) === null) return;
  const missing = await whyNotActivate(ctx, { skill, version, settings }, prepared.vouched);
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
  await serveVersion(tx, ctx, skill, version, SkillClass.parse(version.class));
  await recordDecision(tx, ctx, act, {
    ...{ decision: "activate", sentence: "made active", given: 1, needed: 1, serves },
    data: { replaces, basis: right },
    row: {
      ...{ id, createdAt: at, comment, subject: version.subject },
      ...{ actorId: actor.userId, actorName: actor.name },
      ...signed,
    },
  });
}

type ToSign = DecisionAct & {
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
  await keepKey(tx, key, at);
  return { signed: { statement, signature: key.sign(statement), keyId: key.keyId }, serves };
}

function assertMayActivate(...question: Parameters<typeof judgeActivator>): SigningRight {
  const judged = judgeActivator(...question);
  if ("whyNot" in judged) throw new AppError("separation_of_duties", judged.whyNot);
  return judged.right;
}

const STATES: Record<string, string> = {
  draft: "is a draft: hand it to review",
  pending: "waits for approval",
  changes_requested: "was sent back for changes: hand it to review again",
  rejected: "was rejected: these bytes cannot be approved",
  revoked: "was revoked: these bytes cannot be approved again",
};

function assertApproved(skill: SkillRow, version: VersionRow): void {
  if (version.state === "approved") return;
  const why = version.returnedReason ?? null;
  const message = `${STATES[version.state] ?? `is ${version.state}`}${version.state === "pending" && why !== null ? `, because its approval no longer counts: ${why}` : "."}`;
  throw new AppError("not_approved", `${nameOf(skill, version)} cannot be made active: it ${message}`, {
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
  return new AppError("not_approved", `${nameOf(skill, version)} cannot be made active: ${all}.`, { errors: missing });
}

function activatedMeanwhile({ name, current }: SkillRow): AppError {
  const now = current === null ? "no version of it is active now" : `version ${current.number} is the active one now`;
  return new AppError("conflict", `“${name}” has changed since you looked: ${now}.`);
}

function nameOf(skill: { name: string }, { number, digest }: VersionRow): string {
  return `Version ${number} (${digest.slice(0, 7)}) of “${skill.name}”`;
}
