import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { loadSigningKey, type SigningKey } from "@/lib/core/signing-key";
import type { Ctx, Tx } from "@/lib/db/context";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { type ApprovalBasis, statementText } from "@/lib/policy/signed-statements";
import { FileMode } from "@/lib/skill-format/schema";
import { countingApprovals } from "@/lib/skills/approval/approval-round";
import { nextActivationNumber } from "@/lib/skills/approval/check-servable";
import { tierOf } from "@/lib/skills/approval/trust";
import { requireVersion, type VersionRow } from "@/lib/skills/version-access";
import { exportAnalyses } from "./analysis/list-analyses";
import type { DecisionContext } from "./apply-decision";
import type { ApprovalBundle, ReviewKey } from "./schema";

type ToSign = DecisionContext & {
  key: SigningKey;
  id: string;
  at: Date;
  needed: number;
  subject: string;
  basis: ApprovalBasis;
  comment: string;
  activates: boolean;
};

/** Signs an approval and stores the public key. `serves` is the sequence number of the activation. */
export async function signApproval(
  tx: Tx,
  ctx: Ctx,
  { actor, skill, version, settings, key, id, at, needed, subject, basis, comment, activates }: ToSign,
): Promise<{ signed: { statement: string; signature: string; keyId: string }; serves: number | undefined }> {
  const scan = await tx.versionScan.findUnique({ where: { versionId: version.id }, select: { rulesVersion: true } });
  const serves = activates ? await nextActivationNumber(ctx, skill.id) : undefined;
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
  await storePublicKey(tx, key, at);
  return { signed: { statement, signature: key.sign(statement), keyId: key.keyId }, serves };
}

export async function storePublicKey(tx: Tx, key: SigningKey, at: Date): Promise<void> {
  await tx.reviewKey.upsert({
    where: { id: key.keyId },
    create: { id: key.keyId, publicKey: key.publicPem, createdAt: at },
    update: {},
  });
}

export async function listReviewKeys(ctx: Ctx): Promise<{ items: ReviewKey[]; nextCursor: null }> {
  const current = await loadSigningKey(ctx.database.keyFolder);
  const rows = await ctx.db.reviewKey.findMany({ orderBy: { createdAt: "desc" } });
  const known = rows.some((row) => row.id === current.keyId);
  const unused = known ? [] : [{ id: current.keyId, publicKey: current.publicPem, createdAt: ctx.now() }];
  const items = [...unused, ...rows].map((row) => ({
    keyId: row.id,
    algorithm: "ed25519" as const,
    publicKey: row.publicKey,
    createdAt: row.createdAt.toISOString(),
    isCurrent: row.id === current.keyId,
  }));
  return { items: items.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)), nextCursor: null };
}

/**
 * An approval with everything needed to verify it offline; `not_found` when the version has none. Only who may read dry runs gets
 * their reports; others get the digests, since a report tells a thief what a dry run notices.
 */
export async function exportApproval(ctx: Ctx, idOrName: string, digest: string): Promise<ApprovalBundle> {
  const person = requireScope(ctx.actor, "read");
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  const bundle = await bundleApproval(ctx, { skill, version });
  const analyses = await exportAnalyses(ctx, version.id);
  return {
    ...bundle,
    analyses: hasScope(person, "review") ? analyses : analyses.map(({ reportJson: _report, ...digests }) => digests),
    exportedAt: ctx.now().toISOString(),
  };
}

type Approved = { skill: { id: string; name: string }; version: VersionRow };

/** What an approval bundle has that was signed: the same until the version is approved again. `not_found` without approval. */
export async function bundleApproval(
  ctx: Ctx,
  { skill, version }: Approved,
): Promise<Omit<ApprovalBundle, "analyses" | "exportedAt">> {
  const approvals = countingApprovals(version);
  const [first] = approvals;
  if (version.state !== "approved" || !first?.subjectJson || version.subject === null) {
    throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} of “${skill.name}” has no approval.`);
  }
  const keys = await ctx.db.reviewKey.findMany({
    where: { id: { in: approvals.flatMap(({ keyId }) => keyId ?? []) } },
    orderBy: { id: "asc" },
  });
  return {
    format: "skillgate-approval-bundle/1",
    skill: { id: skill.id, name: skill.name },
    versionDigest: version.digest,
    files: version.files.map(({ path, mode, sha256, size }) => ({ path, mode: FileMode.parse(mode), sha256, size })),
    subjectJson: first.subjectJson,
    subject: version.subject,
    signatures: approvals.map(({ statement, signature, keyId }) => ({
      statement: statement ?? "",
      signature: signature ?? "",
      keyId: keyId ?? "",
    })),
    keys: keys.map((key) => ({ keyId: key.id, publicKey: key.publicKey })),
  };
}
