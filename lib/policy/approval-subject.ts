import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson } from "@/lib/core/json";

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
};

/** SHA-256 over the subject as canonical JSON (keys sorted). Runs pin it, so that what was approved is what runs. */
export function hashSubject(subject: ApprovalSubject): string {
  return sha256Hex(canonicalJson(subject));
}
