import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { keyIdOf } from "@/lib/core/signing-key";
import { checkApproval } from "@/lib/policy/check-approval";
import type { ApprovalBundle } from "../schema";
import type { VerifiedApproval } from "./verified-approval";

const SubjectPart = z.object({ skillId: z.string(), versionDigest: z.string(), class: z.string() });
const StatementPart = z.object({ decisionId: z.string(), signer: z.object({ id: z.string(), name: z.string() }) });

/**
 * Checks an exported approval with nothing but what is in it: files against the digest, subject, signatures. The keys it
 * brings are its own; `pinned` names the one that is trusted. Without it, the answer says which key to compare.
 */
export function verifyBundle(bundle: ApprovalBundle, pinned?: string): VerifiedApproval & { keyIds: string[] } {
  const keyIds = [...new Set(bundle.signatures.map(({ keyId }) => keyId))];
  const about = { skill: bundle.skill.name, digest: bundle.versionDigest, class: "", signers: [] as string[], keyIds };
  try {
    const subject = SubjectPart.parse(JSON.parse(bundle.subjectJson));
    const statements = bundle.signatures.map(({ statement }) => StatementPart.parse(JSON.parse(statement)));
    const named = { ...about, class: subject.class, signers: statements.map(({ signer }) => signer.name) };
    if (subject.versionDigest !== bundle.versionDigest || subject.skillId !== bundle.skill.id) {
      return { ...named, problem: "its subject is about another skill or version" };
    }
    const problem = checkApproval({
      versionDigest: bundle.versionDigest,
      files: bundle.files,
      subjectJson: bundle.subjectJson,
      subject: bundle.subject,
      signatures: bundle.signatures.map((signature, index) => ({
        ...signature,
        decisionId: statements[index]?.decisionId ?? "",
        signerId: statements[index]?.signer.id ?? "",
        subject: bundle.subject,
        subjectJson: bundle.subjectJson,
      })),
      keys: readKeys(bundle, pinned),
    });
    return { ...named, problem };
  } catch {
    return { ...about, problem: "its subject, a statement or a key is not readable" };
  }
}

/** A key counts under the id that it has, never under the one that is written beside it. */
function readKeys(bundle: ApprovalBundle, pinned: string | undefined) {
  const keys = bundle.keys.map(({ publicKey }) => readKey(publicKey));
  return new Map(
    keys.map((key) => [keyIdOf(key), key] as const).filter(([id]) => pinned === undefined || id === pinned),
  );
}

/** Other spellings of the same key are not what was exported. */
function readKey(pem: string) {
  const key = createPublicKey(pem);
  if (key.export({ type: "spki", format: "pem" }).toString().trim() !== pem.trim()) throw new Error("another spelling");
  return key;
}
