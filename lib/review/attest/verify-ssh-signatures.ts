import { verifySshSignature } from "@/lib/core/ssh-signature";
import { signedBytes } from "./dsse";
import { APPROVAL_NAMESPACE, type ApprovalAttestation, type Envelope, type SshSignatureList } from "./schema";

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
