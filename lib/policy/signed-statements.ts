import { type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import { SigningRight } from "./signatures-needed";

/** Its format differs from an approval's, so neither signature can pass for the other. */
export const ActivationStatement = z.strictObject({
  format: z.literal("skillgate-activation/1"),
  decisionId: z.string(),
  subject: z.string().regex(/^[0-9a-f]{64}$/),
  versionDigest: z.string(),
  signer: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  soloMode: z.boolean(),
  /** Where the bytes came from: `bundled`, `workspace` or `indexed`. */
  tier: z.string(),
  /** The right by which the signer activated the version. */
  basis: SigningRight,
  /** Sequence number among the skill's activations, shared with approvals that activate. */
  serves: z.number().int().positive(),
  replaces: z.string().nullable(),
  commentDigest: z.string(),
});
export type ActivationStatement = z.infer<typeof ActivationStatement>;

/** All signers sign the same subject; the statement names the signer, so one signature cannot count for two people. */
export const ApprovalStatement = z.strictObject({
  format: z.literal("skillgate-approval/1"),
  decisionId: z.string(),
  subject: z.string().regex(/^[0-9a-f]{64}$/),
  versionDigest: z.string(),
  signer: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  /** Number of signatures that the policy required at the time. */
  needed: z.number().int().min(1),
  soloMode: z.boolean(),
  tier: z.string(),
  /** Version of the scan rules that the signer saw; null when there was no scan yet. */
  rulesVersion: z.string().nullable(),
  /** The right by which the person signed; older statements have none. */
  basis: z.enum(["review", "solo", "own", "release", "operator", "instance"]).optional(),
  /** Sequence number of the skill's activations when this signature activated the version; the highest one is active. */
  serves: z.number().int().positive().optional(),
  commentDigest: z.string().optional(),
  /** SHA-256, in hex, of the stored manifest: what reviewers see and the steps that a pipeline runs. */
  manifestDigest: z.string().optional(),
});
export type ApprovalStatement = z.infer<typeof ApprovalStatement>;

export type ApprovalBasis = NonNullable<ApprovalStatement["basis"]>;

/** Derived for older statements: an owner or author who signed with solo mode off signed as the owner. */
export function basisOf(
  { basis, signer, soloMode }: Pick<ApprovalStatement, "basis" | "signer" | "soloMode">,
  { ownerId, authorIds }: { ownerId: string | null; authorIds: readonly string[] },
): ApprovalBasis {
  if (basis !== undefined) return basis;
  if (signer.id === "release" || signer.id === "operator") return signer.id;
  if (soloMode) return "solo";
  return signer.id === ownerId || authorIds.includes(signer.id) ? "own" : "review";
}

export function statementText(statement: ApprovalStatement): string {
  return canonicalJson(statement);
}

/** Whether a signature (base64) is valid for this key and text. Never throws. */
export function isSignatureOf(publicKey: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  // Base64 has several spellings for the same bytes; only the canonical one is accepted.
  if (bytes.length !== 64 || bytes.toString("base64") !== signature) return false;
  return verify(null, Buffer.from(text, "utf8"), publicKey, bytes);
}

/** Everything an approval covers. A change of any field needs a new decision. */
export type ApprovalSubject = {
  skillId: string;
  owner: string;
  versionDigest: string;
  class: string;
  entry: string | null;
  schema: unknown;
  grants: unknown;
  limits: { timeoutSeconds: number };
  /** How to call the script that the decision chose as the entry; absent when the files name the entry. */
  call?: unknown;
  output?: string;
};

/** The subject as canonical JSON (sorted keys). It is stored with each approval; runs pin its SHA-256. */
export function subjectJson(subject: ApprovalSubject): string {
  return canonicalJson(subject);
}

export function activationText(statement: ActivationStatement): string {
  return canonicalJson(statement);
}
