import { type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";

/**
 * What one person's approval says. All signers of an approval sign the same subject; the statement around it names the
 * signer, so that one signature never passes for two people.
 */
export const ApprovalStatement = z.strictObject({
  format: z.literal("skillgate-approval/1"),
  decisionId: z.string(),
  subject: z.string().regex(/^[0-9a-f]{64}$/),
  versionDigest: z.string(),
  signer: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  /** People who had to sign, by the policy of that moment. */
  needed: z.number().int().min(1),
  soloMode: z.boolean(),
  /** Where the bytes came from: `bundled`, `workspace` or `indexed`. */
  tier: z.string(),
  /** Rules of the scan that the signer could see; null when there was none yet. */
  rulesVersion: z.string().nullable(),
  /** On what right it was signed; absent in statements of releases that did not say. */
  basis: z.enum(["review", "solo", "own", "release", "operator"]).optional(),
  /**
   * With this signature the version became the active one of its skill; the number counts the skill's activations, whose
   * last one tells which version serves. Absent in signatures that activate nothing.
   */
  serves: z.number().int().positive().optional(),
  /** SHA-256 of the comment, in hex. */
  commentDigest: z.string().optional(),
  /** SHA-256 of what was read of the version's files, in hex: what reviewers see, and the steps that a pipeline runs. */
  manifestDigest: z.string().optional(),
});
export type ApprovalStatement = z.infer<typeof ApprovalStatement>;

export type ApprovalBasis = NonNullable<ApprovalStatement["basis"]>;

/**
 * On what right a statement was signed. One that does not say is judged by what it says of its signer: an owner or an author
 * who signed with solo mode off did so as the owner.
 */
export function basisOf(
  { basis, signer, soloMode }: Pick<ApprovalStatement, "basis" | "signer" | "soloMode">,
  { ownerId, authorIds }: { ownerId: string | null; authorIds: readonly string[] },
): ApprovalBasis {
  if (basis !== undefined) return basis;
  if (signer.id === "release" || signer.id === "operator") return signer.id;
  if (soloMode) return "solo";
  return signer.id === ownerId || authorIds.includes(signer.id) ? "own" : "review";
}

/** The exact text that is signed. */
export function statementText(statement: ApprovalStatement): string {
  return canonicalJson(statement);
}

/** Whether a signature (base64) is this key's over the text. Never throws. */
export function isSignatureOf(publicKey: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  // Other spellings of the same bytes are not what was stored.
  if (bytes.length !== 64 || bytes.toString("base64") !== signature) return false;
  return verify(null, Buffer.from(text, "utf8"), publicKey, bytes);
}

/** Everything an approval speaks of. Changing any of it is a new decision. */
export type ApprovalSubject = {
  skillId: string;
  owner: string;
  versionDigest: string;
  class: string;
  entry: string | null;
  schema: unknown;
  grants: unknown;
  limits: { timeoutSeconds: number };
  /** How a script is called that the decision made the entry; absent for an entry that the files name. */
  call?: unknown;
  output?: string;
};

/** The subject as canonical JSON (keys sorted): what is kept with each approval, and whose SHA-256 runs pin. */
export function subjectJson(subject: ApprovalSubject): string {
  return canonicalJson(subject);
}
