import { sha256Hex } from "@/lib/core/hash";
import type { SigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { type ApprovalBasis, statementText } from "@/lib/policy/approval-statement";
import { nextActivation } from "@/lib/skills/standing/serving-order";
import { tierOf } from "@/lib/skills/standing/trust";
import type { DecisionAct } from "./record-decision";

type ToSign = DecisionAct & {
  key: SigningKey;
  id: string;
  at: Date;
  needed: number;
  subject: string;
  basis: ApprovalBasis;
  comment: string;
  /** Whether the version becomes the active one of its skill with this signature. */
  activates: boolean;
};

/** Signs what one person approves with the instance's key, and keeps the public half of it. `serves`: the place of the version among the activations of its skill. */
export async function signApproval(
  tx: Tx,
  ctx: Ctx,
  { actor, skill, version, settings, key, id, at, needed, subject, basis, comment, activates }: ToSign,
): Promise<{ signed: { statement: string; signature: string; keyId: string }; serves: number | undefined }> {
  const scan = await tx.versionScan.findUnique({ where: { versionId: version.id }, select: { rulesVersion: true } });
  const serves = activates ? await nextActivation(ctx, skill.id) : undefined;
  const statement = statementText({
    format: "skillgate-approval/1",
    decisionId: id,
    subject,
    versionDigest: version.digest,
    signer: { id: actor.userId, name: actor.name },
    at: at.toISOString(),
    needed,
    soloMode: settings.soloMode,
    tier: await tierOf(skill, version),
    rulesVersion: scan?.rulesVersion ?? null,
    basis,
    commentDigest: sha256Hex(comment),
    manifestDigest: sha256Hex(version.manifest),
    ...(serves === undefined ? {} : { serves }),
  });
  await keepKey(tx, key, at);
  return { signed: { statement, signature: key.sign(statement), keyId: key.keyId }, serves };
}

/** Keeps the public half of the key that something was signed with. */
export async function keepKey(tx: Tx, key: SigningKey, at: Date): Promise<void> {
  await tx.reviewKey.upsert({
    where: { id: key.keyId },
    create: { id: key.keyId, publicKey: key.publicPem, createdAt: at },
    update: {},
  });
}
