import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { verifySshSignature } from "@/lib/core/ssh-signature";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { requireVersion } from "@/lib/skills/version-access";
import { completionOf, exportAttestation, readAttestation } from "./attestations";
import { signedBytes } from "./dsse";
import { APPROVAL_NAMESPACE, type Envelope, type SshSignature, type SshSignatureList } from "./schema";

type Place = { id: string; digest: string };

/** The bytes that the envelope of an approval signs (PAE of DSSE), for the approvers' own keys. */
export async function exportSignedBytes(ctx: Ctx, { id, digest }: Place): Promise<Buffer> {
  return bytesOf(await exportAttestation(ctx, id, digest));
}

/** The SSH signatures beside the attestation of a version, oldest first; each is verified again. */
export async function listSshSignatures(ctx: Ctx, { id, digest }: Place): Promise<SshSignatureList> {
  return { items: await signaturesBeside(ctx, await exportAttestation(ctx, id, digest)) };
}

/**
 * Adds the caller's own signature to an approval that they signed, with one of their registered keys. Throws `forbidden` for other
 * callers, `invalid` for a signature that does not count, and `conflict` for a second one.
 */
export async function addSshSignature(
  ctx: Ctx,
  { id, digest, signature }: Place & { signature: string },
): Promise<SshSignature> {
  const actor = requireScope(ctx.actor, "write");
  const envelope = await exportAttestation(ctx, id, digest);
  const { approval: approvalId, approvers } = readAttestation(envelope).predicate;
  const approver = approvers.find(({ id: approverId }) => approverId === actor.userId);
  if (approver === undefined) {
    const message = "Only the people who approved this version may add a signature of their own.";
    throw new AppError("forbidden", message, { rule: "approvers" });
  }
  const message = bytesOf(envelope);
  const verified = verifySshSignature(signature, { namespace: APPROVAL_NAMESPACE, message });
  if (verified.problem !== null) throw refused(verified.problem);
  const { key, armoured } = verified;
  const { fingerprint } = key;
  return inTransaction(ctx, async (tx, txCtx) => {
    const { skill, version } = await requireVersion(txCtx, id, digest);
    if (version.state !== "approved" || completionOf(version).row.id !== approvalId) {
      throw new AppError("conflict", "The approval changed meanwhile. Read it, and sign the new bytes.");
    }
    const known = await tx.sshKey.findUnique({ where: { fingerprint } });
    if (known?.userId !== actor.userId) throw refused(`the key ${fingerprint} is not in your profile`);
    const signedDigest = sha256Hex(message);
    const byCaller = { approvalId_userId: { approvalId, userId: actor.userId } };
    const former = await tx.sshSignature.findUnique({ where: byCaller });
    if (former?.signedDigest === signedDigest) {
      throw new AppError("conflict", `You have already signed this approval, with the key ${former.fingerprint}.`);
    }
    // The bytes of the former one are not those of the envelope any more, because the key that signs envelopes was revoked.
    if (former !== null) await tx.sshSignature.delete({ where: byCaller });
    // As the envelope names them, also when their name is another now.
    const by = { userId: approver.id, userName: approver.name };
    const about = { approvalId, versionId: version.id, fingerprint, signature: armoured, signedDigest };
    const row = await tx.sshSignature.create({ data: { id: newId(), ...about, ...by, createdAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "version.sign",
      summary: `signed the approval of ${skill.name} ${version.digest.slice(0, 7)} with an SSH key`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      versionDigest: version.digest,
      data: { approvalId, fingerprint, publicKey: key.publicKey, signedDigest, signature: armoured },
    });
    return present(row, key.publicKey);
  });
}

function refused(problem: string): AppError {
  const errors = [{ path: "signature", message: `This signature does not count: ${problem}` }];
  return new AppError("invalid", `The signature was not added: ${problem}.`, { errors });
}

/** The stored SSH signatures over the bytes of this envelope. Throws `version_tampered` when one does not verify. */
export async function signaturesBeside(ctx: Ctx, envelope: Envelope): Promise<SshSignature[]> {
  const message = bytesOf(envelope);
  const { approval: approvalId, approvers } = readAttestation(envelope).predicate;
  const where = { approvalId, signedDigest: sha256Hex(message) };
  const rows = await ctx.db.sshSignature.findMany({ where, orderBy: { id: "asc" } });
  const fingerprints = rows.map(({ fingerprint }) => fingerprint);
  const keys = await ctx.db.sshKey.findMany({ where: { fingerprint: { in: fingerprints } } });
  return rows.map((row) => {
    const verified = verifySshSignature(row.signature, { namespace: APPROVAL_NAMESPACE, message });
    const isApprover = approvers.some(({ id, name }) => id === row.userId && name === row.userName);
    const isOwn = keys.every(({ fingerprint, userId }) => fingerprint !== row.fingerprint || userId === row.userId);
    if (verified.problem !== null || verified.key.fingerprint !== row.fingerprint || !isApprover || !isOwn) {
      throw new AppError("version_tampered", `The stored SSH signature of ${row.userName} was changed.`);
    }
    return present(row, verified.key.publicKey);
  });
}

type Row = { userId: string; userName: string; createdAt: Date; fingerprint: string; signature: string };

function present({ userId, userName, createdAt, ...row }: Row, publicKey: string): SshSignature {
  const { fingerprint, signature } = row;
  return { signer: { id: userId, name: userName }, at: createdAt.toISOString(), publicKey, fingerprint, signature };
}

function bytesOf({ payloadType, payload }: Envelope): Buffer {
  return signedBytes(payloadType, Buffer.from(payload, "base64"));
}
