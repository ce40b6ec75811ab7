import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { canonicalJson, keepParsed } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { ApprovalStatement } from "@/lib/policy/signed-statements";
import { JsonObject, SkillClass } from "@/lib/skill-format/schema";
import { countingApprovals } from "@/lib/skills/approval/approval-round";
import { checkServable } from "@/lib/skills/approval/check-servable";
import { requireVersion, type VersionRow, withFilesAndDecisions } from "@/lib/skills/version-access";
import { assertAgentMayRead } from "@/lib/skills/versions/agent-file-access";
import { presentFindings } from "@/lib/skills/versions/present-findings";
import { exportAnalyses } from "../analysis/list-analyses";
import { type AttestationKey, loadAttestationKeys, maySign, signersAt } from "./attestation-keys";
import { IN_TOTO_TYPE, signEnvelope, validSigners } from "./dsse";
import { APPROVAL_PREDICATE, ApprovalAttestation, type ApprovalPredicate, Envelope } from "./schema";

type SkillPart = { id: string; name: string; ownerKey: string };
type Evidence = Pick<ApprovalPredicate, "scan" | "analyses">;

/** For approvals without a stored attestation: no signed record says what was found then. */
const NOT_RECORDED: Evidence = { scan: null, analyses: null };

/**
 * Signs the approval that this transaction completed, with the findings and dry runs of this moment, and stores the envelope.
 * Call it after the decision is stored.
 */
export async function storeAttestation(
  tx: Tx,
  ctx: Ctx,
  act: { keys: AttestationKey[]; skill: { id: string; name: string; ownerKey: string }; versionId: string },
): Promise<void> {
  const where = { id: act.versionId };
  const version = await tx.version.findUniqueOrThrow({ where, include: withFilesAndDecisions });
  const text = describeApproval(act.skill, version, await readEvidence(ctx, version));
  const { row, statement } = completionOf(version);
  const envelope = signEnvelope(IN_TOTO_TYPE, text, signersAt(act.keys, new Date(statement.at)));
  const data = { id: row.id, versionId: version.id, envelope: JSON.stringify(envelope), createdAt: row.createdAt };
  await tx.attestation.create({ data });
}

/**
 * The approval in force of a version as an in-toto statement in a DSSE envelope. An approval without a stored envelope that
 * verifies with a key in force is signed again, without findings and dry runs. Throws `not_found` for a version that is not
 * approved, and `version_tampered` when the stored version or envelope differs from what was signed.
 */
export async function exportAttestation(ctx: Ctx, idOrName: string, digest: string): Promise<Envelope> {
  requireScope(ctx.actor, "read");
  const { skill, version } = await requireVersion(ctx, idOrName, digest);
  assertAgentMayRead(ctx.actor, skill, version);
  const about = `Version ${version.digest.slice(0, 7)} of “${skill.name}”`;
  if (version.state !== "approved") {
    const state = version.state.replace("_", " ");
    throw new AppError("not_found", `${about} is ${state}; only approved versions have an attestation.`);
  }
  return attestationOf(ctx, { skill, version });
}

type Approved = Parameters<typeof checkServable>[1] & {
  skill: { id: string; name: string; ownerKey: string };
  version: VersionRow;
};

/** `exportAttestation` of an approved version that the caller may read. */
export async function attestationOf(ctx: Ctx, { skill, version }: Approved): Promise<Envelope> {
  const about = `Version ${version.digest.slice(0, 7)} of “${skill.name}”`;
  const problem = await checkServable(ctx, { skill, version });
  if (problem !== null) throw new AppError("version_tampered", `${about} differs from its approval: ${problem}.`);
  const keys = await loadAttestationKeys(ctx.database.keyFolder, ctx.now());
  const stored = await readStored(ctx, version, keys);
  if (stored === "changed") throw new AppError("version_tampered", `The stored attestation of ${about} was changed.`);
  if (stored !== null) return stored;
  return signEnvelope(IN_TOTO_TYPE, describeApproval(skill, version, NOT_RECORDED), signersAt(keys, ctx.now()));
}

/** The stored envelope of the approval in force; null without one that a key in force has signed. */
async function readStored(ctx: Ctx, version: VersionRow, keys: AttestationKey[]): Promise<Envelope | "changed" | null> {
  const { row: approval, statement } = completionOf(version);
  const row = await ctx.db.attestation.findUnique({ where: { id: approval.id } });
  if (row === null) return null;
  const envelope = parseEnvelope(row.envelope);
  if (envelope === null) return "changed";
  const valid = validSigners(envelope, keys);
  const known = envelope.signatures.filter(({ keyid }) => keys.some(({ keyId }) => keyId === keyid));
  if (known.length === 0) return null; // The keys were lost, and others made.
  if (valid.length < known.length || !isOf(envelope, { approval: approval.id, digest: version.digest }))
    return "changed";
  return valid.some((key) => maySign(key, new Date(statement.at))) ? envelope : null;
}

function parseEnvelope(text: string): Envelope | null {
  try {
    return Envelope.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether a verified envelope is about this approval: rows could have been exchanged. */
function isOf(envelope: Envelope, { approval, digest }: { approval: string; digest: string }): boolean {
  if (envelope.payloadType !== IN_TOTO_TYPE) return false;
  const { predicate } = readAttestation(envelope);
  return predicate.approval === approval && predicate.version.digest === digest;
}

/** The statement in an envelope whose signature was verified. Throws for another one. */
export function readAttestation({ payload }: Envelope): ApprovalAttestation {
  return ApprovalAttestation.parse(JSON.parse(Buffer.from(payload, "base64").toString("utf8")));
}

/** Findings and dry runs of a version, as they are now. */
async function readEvidence(ctx: Ctx, version: VersionRow): Promise<Evidence> {
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
function describeApproval(skill: SkillPart, version: VersionRow, evidence: Evidence): string {
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
