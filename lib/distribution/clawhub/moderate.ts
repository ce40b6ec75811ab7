import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { REVOKED } from "../find-version";
import { adviceAgainst, type Published } from "../published";

import { updatedAt } from "./present-skill";

const SEVERITY = { critical: "critical", high: "warn", medium: "warn", info: "info" } as const;

/**
 * What ClawHub’s clients are told about a version’s safety. Whatever is offered was approved by a person, so it is clean;
 * what the scan found and nobody dismissed is named beside.
 */
export async function moderate(ctx: Ctx, published: Published) {
  const { skill, version } = published;
  const findings = (await presentFindings(ctx, { ...version, skillId: skill.id })).filter(
    (one) => one.dismissed === null,
  );
  return {
    isSuspicious: false,
    isMalwareBlocked: false,
    verdict: "clean" as const,
    reasonCodes: [...new Set(findings.map(({ rule }) => rule))],
    summary: [adviceAgainst(published), approvedSentence({ version }, findings.length)].filter(Boolean).join(" "),
    engineVersion: "review",
    updatedAt: updatedAt({ version }),
    evidence: findings.map(({ rule, severity, path, line, why, text }) => ({
      code: rule,
      severity: SEVERITY[severity],
      file: path,
      line,
      message: why,
      evidence: text,
    })),
  };
}

/** In one sentence who found it fit, and when. */
export function approvedSentence({ version }: Pick<Published, "version">, findings: number): string {
  const day = new Date(updatedAt({ version })).toISOString().slice(0, 10);
  const noted = findings === 0 ? "" : ` The scan noted ${findings} ${findings === 1 ? "thing" : "things"} to know.`;
  return `A reviewer approved this version on ${day}.${noted}`;
}

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
