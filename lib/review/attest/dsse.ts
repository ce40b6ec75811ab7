import { type KeyObject, verify } from "node:crypto";
import type { Envelope } from "./schema";

export const IN_TOTO_TYPE = "application/vnd.in-toto+json";
export const ENDED_TYPE = "application/vnd.skillgate.ended-approvals+json";

/** The bytes that a DSSE signature covers (PAE of the DSSE protocol, version 1.0). */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head, "utf8"), payload]);
}

type Signer = { keyId: string; sign(bytes: Uint8Array): Buffer };

/** Signs a text with each key. */
export function signEnvelope(payloadType: string, text: string, signers: readonly Signer[]): Envelope {
  const payload = Buffer.from(text, "utf8");
  const bytes = signedBytes(payloadType, payload);
  return {
    payloadType,
    payload: payload.toString("base64"),
    signatures: signers.map(({ keyId, sign }) => ({ keyid: keyId, sig: sign(bytes).toString("base64") })),
  };
}

/**
 * The keys whose signature of this envelope is valid, each found by the key id beside its signature. Accepts the canonical
 * base64 of payload and signatures only.
 */
export function validSigners<K extends { keyId: string; publicKey: KeyObject }>(
  envelope: Envelope,
  keys: readonly K[],
): K[] {
  const payload = decodeCanonical(envelope.payload);
  if (payload === null) return [];
  const bytes = signedBytes(envelope.payloadType, payload);
  return envelope.signatures.flatMap(({ keyid, sig }) => {
    const signature = decodeCanonical(sig);
    const key = keys.find(({ keyId }) => keyId === keyid);
    if (signature?.length !== 64 || key === undefined) return [];
    return verify(null, bytes, key.publicKey, signature) ? [key] : [];
  });
}

function decodeCanonical(base64: string): Buffer | null {
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : null;
}
