import type { Ctx } from "@/lib/db/context";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { adviceAgainst } from "../describe-published";
import type { Published } from "../published";
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
