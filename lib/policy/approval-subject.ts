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
  /** How a script is called that the decision made the entry; absent for an entry that the files name. */
  call?: unknown;
  output?: string;
};

/** The subject as canonical JSON (keys sorted): what is kept with each approval, and whose SHA-256 runs pin. */
export function subjectJson(subject: ApprovalSubject): string {
  return canonicalJson(subject);
}
