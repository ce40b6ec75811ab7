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

export function activationText(statement: ActivationStatement): string {
  return canonicalJson(statement);
}
