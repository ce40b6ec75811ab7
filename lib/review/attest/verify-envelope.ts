import { createPublicKey } from "node:crypto";
import { keyIdOf } from "@/lib/core/signing-key";
import { maySign } from "./attestation-keys";
import { ENDED_TYPE, IN_TOTO_TYPE, validSigners } from "./dsse";
import { ApprovalAttestation, type AttestationKeySet, EndedApprovals, type Envelope } from "./schema";

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
