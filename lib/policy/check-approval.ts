import type { KeyObject } from "node:crypto";
import { sha256Hex } from "@/lib/core/hash";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { ApprovalStatement, isSignatureOf } from "./signed-statements";

type StoredSignature = {
  decisionId: string;
  signerId: string;
  subject: string | null;
  subjectJson: string | null;
  statement: string | null;
  signature: string | null;
  keyId: string | null;
};

type ApprovalToCheck = {
  versionDigest: string;
  files: { path: string; mode: string; sha256: string }[];
  /** Canonical JSON of the subject, computed from the stored rows. */
  subjectJson: string;
  subject: string | null;
  signatures: StoredSignature[];
  /** The stored manifest; absent when only an exported bundle is at hand. */
  manifest?: string;
  keys: ReadonlyMap<string, KeyObject>;
};

/** Null when file list, subject, signatures and number of signers match, else a clause that says what does not. */
export function checkApproval(approval: ApprovalToCheck): string | null {
  const files = approval.files.map((file) => ({ ...file, mode: file.mode as "644" | "755" }));
  if (digestFiles(files) !== approval.versionDigest) return "its list of files is not the one that was approved";
  const subject = sha256Hex(approval.subjectJson);
  if (subject !== approval.subject) return "class, grants, entry, schema or owner are not what was approved";
  if (approval.signatures.length === 0) return "it has no signature that counts";
  const statements: ApprovalStatement[] = [];
  for (const stored of approval.signatures) {
    const checked = checkSignature(stored, approval, subject);
    if (typeof checked === "string") return checked;
    statements.push(checked);
  }
  const signers = new Set(statements.map((statement) => statement.signer.id));
  const last = statements.reduce((newest, next) => (next.at >= newest.at ? next : newest));
  if (signers.size < statements.length) return "one person signed it twice";
  if (signers.size < last.needed) return `it has ${signers.size} of the ${last.needed} signatures it needs`;
  return null;
}

function checkSignature(
  stored: StoredSignature,
  approval: ApprovalToCheck,
  subject: string,
): ApprovalStatement | string {
  const { statement: text, signature, keyId } = stored;
  if (text === null || signature === null || keyId === null) return "an approval of it is not signed";
  const key = approval.keys.get(keyId);
  if (!key) return `it is signed with the key ${keyId.slice(0, 12)}, which is not this instance’s`;
  if (!isSignatureOf(key, text, signature)) return "a signature does not match what it signs";
  const statement = readStatement(text);
  if (statement === null) return "a signature is not that of an approval";
  const isOfThis =
    statement.subject === subject &&
    statement.versionDigest === approval.versionDigest &&
    statement.decisionId === stored.decisionId &&
    statement.signer.id === stored.signerId &&
    stored.subject === subject &&
    stored.subjectJson === approval.subjectJson;
  if (!isOfThis) return "a signature is for something else than what is stored";
  const { manifestDigest } = statement;
  const isRead =
    manifestDigest === undefined || approval.manifest === undefined || manifestDigest === sha256Hex(approval.manifest);
  return isRead ? statement : "what was read of its files is not what was approved";
}

/** Null for other statements of this instance, such as an activation. */
function readStatement(text: string): ApprovalStatement | null {
  const parsed = ApprovalStatement.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
