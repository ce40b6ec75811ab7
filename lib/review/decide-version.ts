import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hashSubject } from "@/lib/policy/approval-subject";
import { proposeClass } from "@/lib/policy/propose-class";
import { requireScope } from "@/lib/policy/require-scope";
import { highestClass, signaturesNeeded, signerOf, whyNotSign } from "@/lib/policy/signatures-needed";
import { getSettings } from "@/lib/settings/get-settings";
import { type SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { getVersion } from "@/lib/skills/get-version";
import type { Grants, Version, VersionState } from "@/lib/skills/schema";
import { ORG, type SkillRow } from "@/lib/skills/skill-access";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import type { DecideVersionInput } from "./schema";
import { dropCurrent, serveVersion } from "./serve-version";

const DEFAULT_TIMEOUT_SECONDS = 30;
const NEXT_STATE = {
  approve: "approved",
  request_changes: "changes_requested",
  reject: "rejected",
  revoke: "revoked",
} as const satisfies Record<DecideVersionInput["decision"], VersionState>;
const SENTENCE = {
  approve: "approved",
  request_changes: "asked for changes to",
  reject: "rejected",
  revoke: "revoked",
} as const;

/**
 * A person's decision on a version. Approving needs a pending version and, for a dangerous one with solo mode off, two
 * people; it makes the version serve. Revoking needs an approved one and closes every door at once. Of two people who
 * decide at the same time one wins and the other gets `conflict`; `separation_of_duties` when this person may not sign.
 */
export async function decideVersion(
  ctx: Ctx,
  idOrName: string,
  digest: string,
  input: DecideVersionInput,
): Promise<Version> {
  const actor = requireScope(ctx.actor, "write");
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, idOrName, digest);
    const { soloMode } = await getSettings(txCtx);
    assertMayDecide(actor, skill, version, input, soloMode);
    assertState(version, input.decision);
    const terms = input.decision === "approve" ? approvalTerms(skill, version, input) : null;
    const earlier = version.decisions.filter(
      (d) => d.decision === "approve" && d.createdAt >= (version.submittedAt ?? d.createdAt),
    );
    if (terms) assertSameTerms(earlier, actor, terms.subject);
    await tx.decision.create({
      data: {
        id: newId(),
        versionId: version.id,
        decision: input.decision,
        comment: input.comment,
        class: terms?.class ?? null,
        grants: terms ? JSON.stringify(terms.grants) : null,
        subject: terms?.subject ?? null,
        actorId: actor.userId,
        actorName: actor.name,
        soloMode,
        createdAt: ctx.now(),
      },
    });
    const needed = terms ? signaturesNeeded(terms.highest, soloMode) : 1;
    const given = terms ? earlier.length + 1 : 1;
    const isFinal = given >= needed;
    if (isFinal) await applyDecision(tx, txCtx, { skill, version, decision: input.decision, terms });
    const count = needed > 1 ? ` (${given} of ${needed})` : "";
    await recordEvent(tx, txCtx, {
      action: `version.${input.decision}`,
      concerns: skill.ownerId ?? version.createdById,
      summary: `${SENTENCE[input.decision]} ${skill.name} ${version.digest.slice(0, 7)}${count}${soloMode ? ", in solo mode" : ""}`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      versionDigest: version.digest,
      tool: skill.toolName,
      class: terms?.class ?? skill.class,
      data: {
        comment: input.comment,
        soloMode,
        given,
        needed,
        ...(terms ? { class: terms.class, grants: terms.grants, subject: terms.subject } : {}),
      },
    });
    return getVersion(txCtx, skill.id, version.digest);
  });
}

type Terms = { class: SkillClass; highest: SkillClass; grants: Grants; subject: string };

/** What is being signed. Class and grants left out mean as declared, and never network. */
export function approvalTerms(
  skill: SkillRow,
  version: VersionRow,
  input: Pick<DecideVersionInput, "class" | "grants">,
): Terms {
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const proposed = proposeClass(manifest, version.files).class;
  const chosen = input.class ?? proposed;
  const timeoutSeconds = manifest.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const grants: Grants = { env: manifest.envAllow, timeoutSeconds, ...input.grants };
  const subject = hashSubject({
    skillId: skill.id,
    owner: skill.ownerKey,
    versionDigest: version.digest,
    class: chosen,
    entry: manifest.entry,
    schema: manifest.schema,
    grants,
    limits: { timeoutSeconds: grants.timeoutSeconds ?? timeoutSeconds },
  });
  return { class: chosen, highest: highestClass(manifest.declaredClass, proposed, chosen), grants, subject };
}

function assertMayDecide(
  actor: PersonActor,
  skill: SkillRow,
  version: VersionRow,
  input: DecideVersionInput,
  soloMode: boolean,
): void {
  const { canReview } = signerOf(actor);
  const isOwner = skill.ownerKey === actor.userId;
  if (input.decision === "revoke" && isOwner) return;
  if (!canReview && !isOwner) requireScope(actor, "review");
  if (input.decision !== "approve") {
    requireScope(actor, "review");
    return;
  }
  const manifest = parseJsonColumn(SkillManifest, version.manifest);
  const reason = whyNotSign({
    highest: highestClass(manifest.declaredClass, proposeClass(manifest, version.files).class, input.class),
    soloMode,
    signer: signerOf(actor),
    authorId: version.createdById,
    owner: skill.ownerKey === ORG ? { kind: "org", id: null } : { kind: "user", id: skill.ownerKey },
  });
  if (reason) throw new AppError(canReview ? "separation_of_duties" : "forbidden", reason);
}

function assertState(version: VersionRow, decision: DecideVersionInput["decision"]): void {
  const wanted: VersionState = decision === "revoke" ? "approved" : "pending";
  if (version.state === wanted) return;
  const name = version.digest.slice(0, 7);
  throw new AppError(
    "conflict",
    `Version ${name} is ${version.state.replace("_", " ")}; only ${wanted} versions can be ${NEXT_STATE[decision].replace("_", " ")}.`,
  );
}

function assertSameTerms(earlier: VersionRow["decisions"], actor: PersonActor, subject: string): void {
  if (earlier.some((decision) => decision.actorId === actor.userId)) {
    throw new AppError(
      "separation_of_duties",
      "You have approved this version already; somebody else has to sign too.",
    );
  }
  if (earlier.some((decision) => decision.subject !== subject)) {
    throw new AppError(
      "conflict",
      "The first approval named another class or other grants; both have to sign the same.",
    );
  }
}

type Applied = { skill: SkillRow; version: VersionRow; decision: DecideVersionInput["decision"]; terms: Terms | null };

async function applyDecision(tx: Tx, ctx: Ctx, { skill, version, decision, terms }: Applied): Promise<void> {
  const decided = { state: NEXT_STATE[decision], decidedAt: ctx.now() };
  const approval = terms ? { class: terms.class, grants: JSON.stringify(terms.grants), subject: terms.subject } : {};
  await tx.version.update({ where: { id: version.id }, data: { ...decided, ...approval } });
  if (terms) await serveVersion(tx, ctx, skill, version, terms.class);
  else await dropCurrent(tx, ctx, skill, version);
}
