import type { SigningKey } from "@/lib/core/signing-key";
import type { Tx } from "@/lib/db/context";
import { statementText } from "@/lib/policy/approval-statement";
import { tierOf } from "@/lib/skills/trust";
import type { DecisionAct } from "./record-decision";

type ToSign = DecisionAct & { key: SigningKey; id: string; at: Date; needed: number; subject: string };

/** Signs what one person approves with the instance's key, and keeps the key's public half. */
export async function signApproval(
  tx: Tx,
  { actor, skill, version, settings, key, id, at, needed, subject }: ToSign,
): Promise<{ statement: string; signature: string; keyId: string }> {
  const scan = await tx.versionScan.findUnique({ where: { versionId: version.id }, select: { rulesVersion: true } });
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
  });
  await tx.reviewKey.upsert({
    where: { id: key.keyId },
    create: { id: key.keyId, publicKey: key.publicPem, createdAt: at },
    update: {},
  });
  return { statement, signature: key.sign(statement), keyId: key.keyId };
}
