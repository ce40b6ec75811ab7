import { z } from "zod";
import { canonicalJson } from "@/lib/core/json";
import { SigningRight } from "./signatures-needed";

/**
 * What a person says who makes an approved version the active one of its skill. Its format is another than an approval's, so
 * that no activation passes for the signature of an approval. The subject names skill, owner, digest and terms.
 */
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
  /** On what right the version was made active. */
  basis: SigningRight,
  /** The place among the activations of the skill, as in an approval that activates. */
  serves: z.number().int().positive(),
  /** Digest of the version that was active before; null when none was. */
  replaces: z.string().nullable(),
  /** SHA-256 of the comment, in hex. */
  commentDigest: z.string(),
});
export type ActivationStatement = z.infer<typeof ActivationStatement>;

/** The exact text that is signed. */
export function activationText(statement: ActivationStatement): string {
  return canonicalJson(statement);
}
