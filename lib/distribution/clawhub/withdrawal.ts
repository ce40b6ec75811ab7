import { AppError } from "@/lib/core/errors";
import { REVOKED } from "../find-version";

/** Why a version that was offered is not offered now. */
export type Withdrawal = {
  reason: "revoked" | "version_tampered" | "withdrawn";
  /** HTTP status of the error. */
  status: number;
  message: string;
};

/**
 * What an error of `findPinned` or `assertSound` says of a version that was offered once: a reviewer revoked it, its stored
 * files or its approval were changed, or its skill was switched off or deleted. Throws every other error again.
 */
export function withdrawalOf(error: unknown): Withdrawal {
  if (!(error instanceof AppError) || (error.code !== "gone" && error.code !== "version_tampered")) throw error;
  const { code, rule, status, message } = error;
  if (code === "version_tampered" || rule === "tampered") return { reason: "version_tampered", status, message };
  return { reason: rule === REVOKED ? "revoked" : "withdrawn", status, message };
}

const SUMMARY = {
  revoked: "A reviewer revoked this version. Remove the copies that were installed.",
  version_tampered: "What is stored of this version is not what was approved.",
} as const;

/**
 * ClawHub’s moderation of such a version. Its clients refuse to install what is blocked as malware, and go on with the next
 * skill; null for a skill that was switched off or deleted, which is no statement about its safety.
 */
export function moderateWithdrawn({ reason }: Withdrawal) {
  if (reason === "withdrawn") return null;
  return {
    isSuspicious: true,
    isMalwareBlocked: true,
    verdict: reason === "revoked" ? ("malicious" as const) : ("suspicious" as const),
    reasonCodes: [reason],
    summary: SUMMARY[reason],
    engineVersion: "review",
    updatedAt: null,
    evidence: [],
  };
}
