import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { REVOKED } from "../find-version";
import { adviceAgainst, type Published } from "../published";

import { updatedAt } from "./present-skill";

const SEVERITY = { critical: "critical", high: "warn", medium: "warn", info: "info" } as const;

/**
 * Moderation of an offered version, as ClawHub's clients read it. A reviewer approved it, so it is clean; findings that
 * no reviewer dismissed are listed.
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

export function approvedSentence({ version }: Pick<Published, "version">, findings: number): string {
  const day = new Date(updatedAt({ version })).toISOString().slice(0, 10);
  const noted = findings === 0 ? "" : ` The scan has ${findings} open ${findings === 1 ? "finding" : "findings"}.`;
  return `A reviewer approved this version on ${day}.${noted}`;
}

type Withdrawal = {
  reason: "revoked" | "version_tampered" | "withdrawn";
  status: number;
  message: string;
};

/**
 * Maps an error of `findPinned` or `assertUntampered` to a withdrawal: revoked, tampered with, or its skill disabled or
 * deleted. Rethrows every other error.
 */
export function withdrawalOf(error: unknown): Withdrawal {
  if (!(error instanceof AppError) || (error.code !== "gone" && error.code !== "version_tampered")) throw error;
  const { code, rule, status, message } = error;
  if (code === "version_tampered" || rule === "tampered") return { reason: "version_tampered", status, message };
  return { reason: rule === REVOKED ? "revoked" : "withdrawn", status, message };
}

const SUMMARY = {
  revoked: "A reviewer revoked this version. Remove the copies that were installed.",
  version_tampered: "The stored version differs from the approved one.",
} as const;

/**
 * Moderation of a withdrawn version. Clients refuse to install what is blocked as malware and continue with the next
 * skill. Null for a disabled or deleted skill, which says nothing about its safety.
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
