import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { keyIdOf, type SigningKey } from "@/lib/core/signing-key";
import { isSignatureOf } from "@/lib/policy/signed-statements";
import { BUNDLE_FORMAT, BundleManifest, rejectBundle } from "./format";

const PAYLOAD_TYPE = "application/vnd.skillgate.bundle+json";

/** Envelope of DSSE 1.0 (https://github.com/secure-systems-lab/dsse), with exactly one signature. */
const Envelope = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.string(),
  signatures: z.tuple([z.strictObject({ keyid: z.string(), sig: z.string() })]),
});

/** The first line of a bundle, without its line feed: the manifest in a signed envelope. */
export function signManifest(key: SigningKey, manifest: BundleManifest): string {
  const payload = JSON.stringify(BundleManifest.parse(manifest));
  return writeEnvelope(payload, { keyid: key.keyId, sig: key.sign(toBeSigned(payload)) });
}

/**
 * Verifies the first line of a bundle with the key that it contains. Whether that key is trusted is for the caller to
 * decide. Throws `archive_rejected` for any changed byte, and for other formats and releases.
 */
export function openManifest(line: string): { manifest: BundleManifest; publicKey: KeyObject } {
  const envelope = Envelope.safeParse(parseJson(line));
  if (!envelope.success) rejectBundle("its first line is not the signed manifest of a bundle, or was changed");
  const { payload: encoded, signatures } = envelope.data;
  const payload = Buffer.from(encoded, "base64").toString("utf8");
  const content = parseJson(payload);
  const [signature] = signatures;
  // Only the one spelling that exports write is accepted, so that every byte of the line is covered.
  if (writeEnvelope(payload, signature) !== line) rejectBundle("its manifest (the first line) was changed");
  const format = z.object({ format: z.string() }).safeParse(content);
  if (format.success && format.data.format !== BUNDLE_FORMAT) {
    const named = JSON.stringify(format.data.format.slice(0, 60));
    rejectBundle(
      `its format is ${named}, and this release reads ${BUNDLE_FORMAT}. Export it again with a release that writes that format`,
    );
  }
  const parsed = BundleManifest.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    rejectBundle(`its manifest is not valid (${issue?.path.join(".")}: ${issue?.message})`);
  }
  const manifest = parsed.data;
  const { keyId } = manifest.instance;
  const publicKey = readPublicKey(manifest.instance.publicKey);
  if (publicKey === null || keyIdOf(publicKey) !== keyId || signature.keyid !== keyId)
    rejectBundle("its manifest does not name the key that signed it");
  if (!isSignatureOf(publicKey, toBeSigned(payload), signature.sig))
    rejectBundle("the signature of its manifest (the first line) is invalid: the manifest was changed");
  return { manifest, publicKey };
}

/** The text that DSSE signs (“PAE”): type and payload with their lengths in bytes. */
function toBeSigned(payload: string): string {
  const lengthOf = (text: string) => Buffer.byteLength(text, "utf8");
  return `DSSEv1 ${lengthOf(PAYLOAD_TYPE)} ${PAYLOAD_TYPE} ${lengthOf(payload)} ${payload}`;
}

function writeEnvelope(payload: string, signature: { keyid: string; sig: string }): string {
  const { keyid, sig } = signature;
  return JSON.stringify({
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload, "utf8").toString("base64"),
    signatures: [{ keyid, sig }],
  });
}

/** An Ed25519 key; null for everything else. */
function readPublicKey(pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null; // OpenSSL's words say nothing that the refusal does not.
  }
}

/** Null for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
