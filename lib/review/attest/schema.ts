import { z } from "zod";
import { ArmouredSignature } from "@/lib/auth/schema";
import { IsoTime } from "@/lib/core/schema";
import { SkillClass } from "@/lib/skill-format/schema";
import { FindingSeverity } from "@/lib/skills/versions/schema";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hex digits");

/** A DSSE envelope, version 1.0 (github.com/secure-systems-lab/dsse). */
export const Envelope = z.object({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z
    .array(
      z.object({
        keyid: z.string().describe("Id of a key of GET /.well-known/skillgate-attestation-keys."),
        sig: z.base64().describe("Ed25519 over the pre-authentication encoding of DSSE."),
      }),
    )
    .min(1),
});
export type Envelope = z.infer<typeof Envelope>;

export const APPROVAL_PREDICATE = "urn:skillgate:approval:v1";

/** What was approved, as it was at the time of the approval. */
export const ApprovalPredicate = z.object({
  approval: z.string().describe("Id of the approval, for the list of ended approvals."),
  approvedAt: IsoTime,
  skill: z.object({ id: z.string(), name: z.string(), owner: z.string() }),
  version: z.object({ number: z.number().int(), digest: Sha256 }),
  class: SkillClass,
  entry: z.string().nullable(),
  grants: z.unknown(),
  limits: z.unknown(),
  termsDigest: Sha256.describe("SHA-256 of all terms that the approvers signed: the subject of the approval."),
  tier: z.string(),
  policy: z.object({ signaturesNeeded: z.number().int(), soloMode: z.boolean() }),
  approvers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      at: IsoTime,
      right: z.string().nullable().describe("Null in approvals of releases that did not record it."),
      statementDigest: Sha256.describe("SHA-256 of the statement in the approval bundle."),
    }),
  ),
  scan: z
    .object({
      rulesVersion: z.string(),
      complete: z.boolean(),
      at: IsoTime,
      findings: z.array(
        z.object({
          rule: z.string(),
          severity: FindingSeverity,
          path: z.string(),
          line: z.number().int(),
          fingerprint: z.string(),
          dismissedBy: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .describe("Null when it was not recorded with the approval, or there was no scan."),
  analyses: z
    .array(z.object({ id: z.string(), finishedAt: IsoTime, worker: z.string(), reportDigest: z.string() }))
    .nullable()
    .describe("The finished dry runs of these bytes; null when they were not recorded with the approval."),
});
export type ApprovalPredicate = z.infer<typeof ApprovalPredicate>;

/** An in-toto statement, version 1 (in-toto/attestation, spec/v1/statement.md). */
export const ApprovalAttestation = z.object({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  /** The version first, then each of its files. */
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: Sha256 }) })).min(1),
  predicateType: z.literal(APPROVAL_PREDICATE),
  predicate: ApprovalPredicate,
});
export type ApprovalAttestation = z.infer<typeof ApprovalAttestation>;

/** A JSON Web Key Set (RFC 7517, RFC 8037) with the periods of the keys. */
export const AttestationKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string(),
      kid: z.string().describe("SHA-256 of the public key’s DER form (SPKI), in hex."),
      use: z.literal("sig"),
      alg: z.literal("EdDSA"),
      pem: z.string(),
      signsFrom: IsoTime,
      signsUntil: IsoTime.nullable().describe("It signs no approval of this time or later. Null for the newest key."),
      revokedAt: IsoTime.nullable().describe("Nothing that is signed with a revoked key counts."),
    }),
  ),
});
export type AttestationKeySet = z.infer<typeof AttestationKeySet>;

export const EndedApprovals = z.object({
  issuedAt: IsoTime,
  ended: z.array(z.string()).describe("Ids of approvals that are revoked, replaced or returned to review."),
});
export type EndedApprovals = z.infer<typeof EndedApprovals>;

/** Namespace of the approvers' SSH signatures, so that they count for nothing else. */
export const APPROVAL_NAMESPACE = "skillgate-approval";

export const AddSshSignatureInput = z.object({
  signature: ArmouredSignature.describe("Of `ssh-keygen -Y sign -n skillgate-approval` over the signed bytes."),
});

export const SshSignature = z.object({
  signer: z.object({ id: z.string(), name: z.string() }),
  at: IsoTime,
  publicKey: z
    .string()
    .describe("Type and base64, as in authorized_keys. Compare it with a key that the signer gave you."),
  fingerprint: z.string(),
  signature: z.string(),
});
export type SshSignature = z.infer<typeof SshSignature>;

/** The approvers' own signatures over the bytes that the envelope of their approval signs. */
export const SshSignatureList = z.object({ items: z.array(SshSignature) });
export type SshSignatureList = z.infer<typeof SshSignatureList>;
