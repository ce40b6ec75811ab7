import type { KeyObject } from "node:crypto";
import { sha256Hex } from "@/lib/core/hash";
import { AnalysisReport } from "@/lib/policy/analysis/schema";
import { isSignatureOf } from "@/lib/policy/signed-statements";
import { assertUniquePaths, safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { digestFiles } from "@/lib/skill-format/archive/skill-file";
import { type AuditedDecision, whyAuditForbids } from "@/lib/skills/approval/audited-decisions";
import { checkWithKeys, isShownAsSigned } from "@/lib/skills/approval/check-stored-approval";
import type { BundleDecision, BundleManifest, BundleVersion } from "./format";

type Signer = { keyId: string; publicKey: KeyObject };

/**
 * Why a version's record contradicts itself, its signatures or the audit proof, as a clause; null when all agree. Paths
 * are those that an upload may have.
 */
export function findProblem(version: BundleVersion, manifest: BundleManifest, signer: Signer): string | null {
  return (
    findFileProblem(version) ?? findDecisionProblem(version, manifest, signer) ?? findEventProblem(version, manifest)
  );
}

function findFileProblem({ files, digest }: BundleVersion): string | null {
  try {
    for (const { path } of files) if (safePath(path) !== path) return `the path ${JSON.stringify(path)} is not in NFC`;
    assertUniquePaths(files.map(({ path }) => path));
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : "a path is refused";
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES)
    return `its files have more than ${MAX_UNPACKED_BYTES} bytes`;
  return digestFiles(files) === digest ? null : "its digest is not that of its list of files";
}

function findDecisionProblem(version: BundleVersion, manifest: BundleManifest, signer: Signer): string | null {
  const ids = new Set(version.decisions.map(({ id }) => id));
  if (ids.size < version.decisions.length) return "it has one decision twice";
  if (version.state === "approved") {
    const keys = new Map([[signer.keyId, signer.publicKey]]);
    const { skill, decisions, ...rest } = version;
    const problem = checkWithKeys({ skill, version: { ...rest, decisions: decisions.map(asStored) } }, keys);
    if (problem !== null) return `its approval does not verify: ${problem}`;
  }
  for (const decision of version.decisions) {
    if (decision.standing === "counts" && version.state !== "approved")
      return `a decision of ${decision.actor.name} counts, but the version is ${version.state}`;
    const problem = findSignatureProblem(decision, signer) ?? findMissingEvent(decision, version, manifest);
    if (problem !== null) return `the decision of ${decision.actor.name} (${decision.id}) ${problem}`;
  }
  return null;
}

/** The decision as the columns of a stored one. */
function asStored({ actor, createdAt, ...decision }: BundleDecision) {
  return { ...decision, actorId: actor.id, actorName: actor.name, createdAt: new Date(createdAt) };
}

/** Decisions of a former key of the instance are shown as unsigned; they never count. */
function findSignatureProblem(decision: BundleDecision, { keyId, publicKey }: Signer): string | null {
  const { statement, signature } = decision;
  if (decision.keyId !== keyId || statement === null || signature === null) return null;
  if (!isSignatureOf(publicKey, statement, signature)) return "has a signature that does not match it";
  return isShownAsSigned(asStored(decision)) ? null : "differs from what its signer signed";
}

const AUDITED = new Set(["approve", "revoke", "activate"]);

function findMissingEvent(decision: BundleDecision, version: BundleVersion, { audit }: BundleManifest): string | null {
  if (!AUDITED.has(decision.decision)) return null;
  if (audit.sealedUntil !== null && decision.createdAt <= audit.sealedUntil) return null;
  const event = version.events.find((one) => dataOf(one).decisionId === decision.id);
  if (event === undefined) return "is not in the audit log";
  const isOfThis =
    event.action === `version.${decision.decision}` &&
    (decision.decision === "revoke" || dataOf(event).subject === decision.subject);
  return isOfThis ? null : "is another one in the audit log";
}

type BundleEvent = BundleVersion["events"][number];

function findEventProblem(version: BundleVersion, { audit }: BundleManifest): string | null {
  let last: BundleEvent | undefined;
  const ends = new Map(audit.chains.map((end) => [end.chain, end]));
  const lastOf = new Map<number, { place: number; hash: unknown }>();
  for (const event of version.events) {
    const [seq, chain] = [Number(event.seq), Number(event.chain ?? 1)];
    const place = Number(event.place ?? event.seq);
    const what = `audit event ${seq}`;
    if (event.skillId !== version.skill.id || event.versionDigest !== version.digest)
      return `${what} is about another version`;
    if (last !== undefined && seq <= Number(last.seq)) return `${what} is out of order`;
    const end = ends.get(chain);
    if (end === undefined || !(place <= end.place)) return `${what} is after the signed end of the audit log`;
    if (place === end.place && event.hash !== end.hash) return `${what} is not the signed end of the audit log`;
    const before = lastOf.get(chain);
    if (
      before !== undefined &&
      (place <= before.place || (place === before.place + 1 && event.prevHash !== before.hash))
    )
      return `${what} does not follow the event before it`;
    lastOf.set(chain, { place, hash: event.hash });
    last = event;
  }
  if (version.state === "approved") {
    const problem = whyAuditForbids(version.events.toReversed().map(asAudited), version, false);
    if (problem !== null) return problem;
  }
  return findAnalysisProblem(version);
}

/** Only the exporting instance has the key of its chain; it verified these events at the export. */
function asAudited(event: BundleEvent): AuditedDecision {
  return {
    seq: Number(event.seq),
    skillId: String(event.skillId),
    versionDigest: String(event.versionDigest),
    action: String(event.action),
    data: String(event.data),
    isIntact: () => true,
  };
}

function findAnalysisProblem({ analyses, events }: BundleVersion): string | null {
  for (const { id, reportJson, reportDigest } of analyses) {
    const what = `the report of the dry run ${id}`;
    if (sha256Hex(reportJson) !== reportDigest) return `${what} does not match its digest`;
    if (!isReport(reportJson)) return `${what} cannot be read`;
    const event = events.find((one) => one.action === "analysis.finished" && dataOf(one).analysisId === id);
    if (event !== undefined && dataOf(event).reportDigest !== reportDigest)
      return `${what} is not the one in the audit log`;
  }
  return null;
}

function isReport(json: string): boolean {
  try {
    return AnalysisReport.safeParse(JSON.parse(json)).success;
  } catch {
    return false;
  }
}

function dataOf({ data }: BundleEvent): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(String(data));
    return parsed !== null && typeof parsed === "object" ? { ...parsed } : {};
  } catch {
    return {}; // Then the event proves nothing.
  }
}
