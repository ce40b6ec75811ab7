import { createPublicKey } from "node:crypto";
import { keyIdOf } from "@/lib/core/signing-key";
import { verifySshSignature } from "@/lib/core/ssh-signature";
import { maySign } from "./attestation-keys";
import { ENDED_TYPE, IN_TOTO_TYPE, signedBytes, validSigners } from "./dsse";
import {
  APPROVAL_NAMESPACE,
  ApprovalAttestation,
  type AttestationKeySet,
  EndedApprovals,
  type Envelope,
  type SshSignatureList,
} from "./schema";

type Verified =
  | { problem: string }
  | {
      problem: null;
      keyIds: string[];
      attestation: ApprovalAttestation;
      /** When the list of ended approvals was issued; null without one. */
      checkedAt: string | null;
    };

type Trusted = {
  keys: AttestationKeySet;
  /** Only this key counts. */
  pinned?: string | undefined;
  /** The version that the reader holds. */
  digest?: string | undefined;
  ended?: Envelope | undefined;
};

/**
 * Verifies the attestation of an approval with a published list of keys, offline. The problem is the end of a sentence. Without
 * `ended`, an approval that was revoked later still verifies.
 */
export function verifyEnvelope(envelope: Envelope, { keys: published, pinned, digest, ended }: Trusted): Verified {
  const keys = readKeys(published).filter(({ keyId }) => pinned === undefined || keyId === pinned);
  if (envelope.payloadType !== IN_TOTO_TYPE) return { problem: "its payload is not an in-toto statement" };
  const signers = validSigners(envelope, keys);
  if (signers.length === 0) return { problem: "no signature verifies with a key of the list" };
  const parsed = ApprovalAttestation.safeParse(readPayload(envelope));
  if (!parsed.success) return { problem: "its statement is not about an approval" };
  const { subject, predicate } = parsed.data;
  const counting = signers.filter((key) => maySign(key, new Date(predicate.approvedAt)));
  if (counting.length === 0) return { problem: "its keys are revoked, or signed no approvals any more at that time" };
  if (subject[0]?.digest.sha256 !== predicate.version.digest)
    return { problem: "its subject is about another version" };
  if (digest !== undefined && digest !== predicate.version.digest) return { problem: "it is about another version" };
  const list = ended === undefined ? null : readEnded(ended, keys);
  if (list === "invalid") return { problem: "the list of ended approvals does not verify" };
  if (list !== null && new Date(list.issuedAt) < new Date(predicate.approvedAt))
    return { problem: "the list of ended approvals is older than the approval" };
  if (list?.ended.includes(predicate.approval)) return { problem: "the approval was revoked or replaced" };
  const keyIds = counting.map(({ keyId }) => keyId);
  return { problem: null, keyIds, attestation: parsed.data, checkedAt: list?.issuedAt ?? null };
}

/** The id is computed from the key, never taken from the list. Leaves out unreadable keys. */
function readKeys({ keys }: AttestationKeySet) {
  return keys.flatMap(({ pem, signsUntil, revokedAt }) => {
    try {
      const publicKey = createPublicKey(pem);
      return [{ keyId: keyIdOf(publicKey), publicKey, signsUntil, revokedAt }];
    } catch {
      return [];
    }
  });
}

function readEnded(envelope: Envelope, keys: ReturnType<typeof readKeys>): EndedApprovals | "invalid" {
  if (envelope.payloadType !== ENDED_TYPE) return "invalid";
  const parsed = EndedApprovals.safeParse(readPayload(envelope));
  if (!parsed.success) return "invalid";
  const signers = validSigners(envelope, keys);
  return signers.some((key) => maySign(key, new Date(parsed.data.issuedAt))) ? parsed.data : "invalid";
}

function readPayload({ payload }: Envelope): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  } catch {
    return null;
  }
}

type Given = { envelope: Envelope; attestation: ApprovalAttestation; list: SshSignatureList; allowedSigners: string };
type Signed = { principal: string; fingerprint: string; as: string };

/**
 * Verifies the approvers' SSH signatures over the bytes of a verified envelope, offline. Each key has to be in the file
 * (`allowed_signers` of ssh-keygen), because the server only says whose it is. The problem is the end of a sentence.
 */
export function verifySshSignatures({
  envelope,
  attestation,
  list,
  allowedSigners,
}: Given): { problem: string } | { problem: null; signed: Signed[] } {
  const message = signedBytes(envelope.payloadType, Buffer.from(envelope.payload, "base64"));
  const allowed = readAllowedSigners(allowedSigners);
  if (typeof allowed === "string") return { problem: allowed };
  const signed: Signed[] = [];
  const signers = new Set<string>();
  for (const { signer, signature } of list.items) {
    const verified = verifySshSignature(signature, { namespace: APPROVAL_NAMESPACE, message });
    const about = `the SSH signature of ${signer.name}`;
    if (verified.problem !== null) return { problem: `${about} does not count: ${verified.problem}` };
    const { publicKey, fingerprint } = verified.key;
    const principal = allowed.get(publicKey);
    if (principal === undefined)
      return { problem: `${about} is of the key ${fingerprint}, which is no allowed signer` };
    const approver = attestation.predicate.approvers.find(({ id }) => id === signer.id);
    if (approver === undefined) return { problem: `${about} is not of an approver` };
    if (signed.some((other) => other.principal === principal)) return { problem: `${principal} signed twice` };
    if (signers.has(approver.id)) return { problem: `there are two SSH signatures of ${approver.name}` };
    signers.add(approver.id);
    signed.push({ principal, fingerprint, as: approver.name });
  }
  if (signed.length === 0) return { problem: "there is no SSH signature" };
  return { problem: null, signed };
}

const LINE = /^("[^"]*"|\S+)\s+(?:namespaces="([^"]*)"\s+)?((?:sk-)?(?:ssh|ecdsa)-\S+)\s+(\S+)/;

/** The principals of a file in the format of ALLOWED SIGNERS in ssh-keygen(1), by public key; or why it cannot be read. */
function readAllowedSigners(text: string): Map<string, string> | string {
  const allowed = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, principal, namespaces, type, key] = LINE.exec(line) ?? [];
    if (principal === undefined) {
      return `line ${index + 1} of the allowed signers cannot be read here; only the option namespaces is supported`;
    }
    if (namespaces !== undefined && !namespaces.split(",").includes(APPROVAL_NAMESPACE)) continue;
    allowed.set(`${type} ${key}`, principal.replaceAll('"', ""));
  }
  return allowed;
}
