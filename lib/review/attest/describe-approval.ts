import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson, keepParsed } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { ApprovalStatement } from "@/lib/policy/signed-statements";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { countingApprovals } from "@/lib/skills/approval/approval-round";
import type { VersionRow } from "@/lib/skills/version-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { exportAnalyses } from "../analysis/list-analyses";
import { APPROVAL_PREDICATE, type ApprovalAttestation, type ApprovalPredicate } from "./schema";

type SkillPart = { id: string; name: string; ownerKey: string };
type Evidence = Pick<ApprovalPredicate, "scan" | "analyses">;

/** For approvals without a stored attestation: no signed record says what was found then. */
export const NOT_RECORDED: Evidence = { scan: null, analyses: null };

/** Findings and dry runs of a version, as they are now. */
export async function readEvidence(ctx: Ctx, version: VersionRow): Promise<Evidence> {
  const scan = await ctx.db.versionScan.findUnique({ where: { versionId: version.id } });
  const findings = scan === null ? [] : await presentFindings(ctx, version);
  const analyses = await exportAnalyses(ctx, version.id);
  return {
    scan: scan && {
      ...{ rulesVersion: scan.rulesVersion, complete: scan.complete, at: scan.scannedAt.toISOString() },
      findings: findings.map(({ rule, severity, path, line, fingerprint, dismissed }) => ({
        ...{ rule, severity, path, line, fingerprint, dismissedBy: dismissed?.by.name ?? null },
      })),
    },
    analyses: analyses.map(({ id, finishedAt, worker, reportDigest }) => ({ id, finishedAt, worker, reportDigest })),
  };
}

/**
 * The approval in force of a version as an in-toto statement, in canonical JSON. The same rows give the same text. Throws for a
 * version without a signed approval.
 */
export function describeApproval(skill: SkillPart, version: VersionRow, evidence: Evidence): string {
  const attestation: ApprovalAttestation = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: skill.name, digest: { sha256: version.digest } },
      ...version.files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    ],
    predicateType: APPROVAL_PREDICATE,
    predicate: { ...predicateOf(skill, version), ...evidence },
  };
  return canonicalJson(attestation);
}

/** The signed statement that completed the approval in force, with its decision. Throws without one. */
export function completionOf(version: VersionRow) {
  const signed = countingApprovals(version).map((row) => ({
    row,
    statement: keepParsed(ApprovalStatement, row.statement ?? ""),
  }));
  return signed.reduce((newest, next) => (next.statement.at >= newest.statement.at ? next : newest));
}

function predicateOf(skill: SkillPart, version: VersionRow): Omit<ApprovalPredicate, keyof Evidence> {
  const { row, statement } = completionOf(version);
  const { grants, limits, entry } = keepParsed(JsonObject, row.subjectJson ?? "");
  return {
    ...{ approval: row.id, approvedAt: statement.at },
    skill: { id: skill.id, name: skill.name, owner: skill.ownerKey },
    version: { number: version.number, digest: version.digest },
    class: SkillClass.parse(row.class),
    entry: typeof entry === "string" ? entry : null,
    ...{ grants, limits, termsDigest: statement.subject, tier: statement.tier },
    policy: { signaturesNeeded: statement.needed, soloMode: statement.soloMode },
    approvers: countingApprovals(version).map(presentApprover),
  };
}

function presentApprover({ statement }: VersionRow["decisions"][number]): ApprovalPredicate["approvers"][number] {
  const { signer, at, basis } = keepParsed(ApprovalStatement, statement ?? "");
  return { id: signer.id, name: signer.name, at, right: basis ?? null, statementDigest: sha256Hex(statement ?? "") };
}
