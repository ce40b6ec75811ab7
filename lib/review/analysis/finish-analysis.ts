import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { keepParsed } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { DRY_RUN_RULES, findDifferences, hostsOfReport } from "@/lib/policy/analysis/compare-declared";
import { type AnalysisReport, AnalysisStep } from "@/lib/policy/analysis/schema";
import { requireWorker } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { selfReviewers } from "@/lib/skills/approval/approval-round";
import type { AnalysisResult } from "@/lib/worker/protocol";
import { findOwnParts, type OwnParts } from "./plan-version";
import { readDeclared } from "./read-declared";

const Steps = z.array(AnalysisStep);
const RULE_VERSION = 2;
/** After the findings of the scan. */
const FIRST_POSITION = 1_000_000;

/** The skill of a waiting dry run may be deleted meanwhile. */
export const STILL_WANTED = { skill: { deletedAt: null } } as const;

type Ended = "analysis.failed" | "analysis.cancelled";

const included = { version: { include: { skill: true } } } as const;

/**
 * Stores how an analysis ended, as the worker that holds it reports it, and adds its findings to those of earlier
 * dry runs, because what these bytes once did stays true. Touches neither its state nor its approvals. Throws `conflict` for a report of an older lease.
 */
export async function finishAnalysis(ctx: Ctx, analysisId: string, { fence, outcome }: AnalysisResult): Promise<void> {
  const worker = requireWorker(ctx.actor);
  const hosts = outcome.kind === "report" ? hostsOfReport(outcome.report) : [];
  const own = await findPartsOfVersion(ctx, { id: analysisId, workerId: worker.workerId }, hosts);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.analysis.findUnique({ where: { id: analysisId }, include: included });
    if (row === null || row.workerId !== worker.workerId)
      throw new AppError("not_found", "This worker executes no such analysis.");
    if (row.state !== "running" || row.fence !== fence)
      throw new AppError("conflict", "This analysis has ended already, or another worker executes it.");
    if (outcome.kind === "failed") return failAnalysis(tx, txCtx, row.id, outcome.reason);
    if (own instanceof AppError) return failAnalysis(tx, txCtx, row.id, own.message);
    const steps = keepParsed(Steps, row.steps);
    if (outcome.report.steps.length !== steps.length)
      throw new AppError("invalid", "The report does not have one entry for each step of the analysis.");
    const report = {
      ...outcome.report,
      steps: outcome.report.steps.map((done) => ({ ...done, ofVersion: own.steps.has(done.step) })),
      mentioned: own.mentioned,
    };
    const reportJson = JSON.stringify(report);
    const reportDigest = sha256Hex(reportJson);
    await tx.analysis.update({
      where: { id: row.id },
      data: { state: "finished", finishedAt: ctx.now(), report: reportJson, reportDigest, leaseUntil: null },
    });
    const acts = { ...report, steps: report.steps.filter((done) => done.ofVersion) };
    const findings = await storeFindings(tx, txCtx, row.version, acts, steps);
    const deeds = outcome.report.steps.flatMap((step) => step.deeds);
    await recordEvent(tx, txCtx, {
      action: "analysis.finished",
      summary: `finished a dry run of ${row.version.skill.name} ${row.digest.slice(0, 7)}: ${deeds.length} ${deeds.length === 1 ? "deed" : "deeds"}`,
      ...aboutSkill(row.version.skill),
      concerns: row.version.skill.ownerId ?? row.version.createdById,
      versionDigest: row.digest,
      device: worker.name,
      data: { analysisId: row.id, reportDigest, findings, deeds: [...new Set(deeds.map(({ kind }) => kind))] },
    });
  });
}

/** Ends an analysis without a report, in the caller's transaction. */
export async function failAnalysis(
  tx: Tx,
  ctx: Ctx,
  id: string,
  reason: string,
  action: Ended = "analysis.failed",
): Promise<void> {
  const failed = { state: "failed", finishedAt: ctx.now(), failure: reason, leaseUntil: null };
  const row = await tx.analysis.update({ where: { id }, data: failed, include: included });
  await recordEvent(tx, ctx, {
    ...(action === "analysis.failed" ? { action, outcome: "failed" as const } : { action }),
    summary: `${action === "analysis.failed" ? "could not finish" : "cancelled"} a dry run of ${row.version.skill.name} ${row.digest.slice(0, 7)}`,
    ...aboutSkill(row.version.skill),
    versionDigest: row.digest,
    data: { analysisId: id, reason },
  });
}

type Decided = { id: string; createdById: string; submittedById: string | null };

/**
 * Ends the open dry runs of a version that is decided: no reviewer waits for their reports. Its owner and authors end their own
 * only, since a report that others asked for may tell against them; it is stored, because the bytes stay the same.
 */
export async function endAnalysesOf(
  tx: Tx,
  ctx: Ctx,
  { actorId, ...about }: { actorId: string; skill: { ownerKey: string }; version: Decided },
): Promise<void> {
  const { skill, version } = about;
  const mine = isAuthorOf(actorId, skill, version) ? { requestedById: actorId } : {};
  const open = await tx.analysis.findMany({
    where: { versionId: version.id, state: { in: ["queued", "running"] }, ...mine },
    select: { id: true },
  });
  for (const { id } of open)
    await failAnalysis(tx, ctx, id, "The version was decided before the dry run had ended.", "analysis.cancelled");
}

/** Whether a person owns the skill or wrote or submitted the version, also in solo mode. */
export function isAuthorOf(userId: string, skill: { ownerKey: string }, version: Omit<Decided, "id">): boolean {
  return selfReviewers(skill, version, { soloMode: false }).has(userId);
}

/** What the files of the version tell of its report; the error when they cannot be read any more. Read before the transaction: files are large. */
async function findPartsOfVersion(
  ctx: Ctx,
  held: { id: string; workerId: string },
  hosts: readonly string[],
): Promise<OwnParts | AppError> {
  const include = { version: { include: { files: { orderBy: { path: "asc" } } } } } as const;
  const row = await ctx.db.analysis.findFirst({ where: { ...held, state: "running" }, include });
  if (row === null) return { steps: new Set(), mentioned: [] };
  try {
    return await findOwnParts(ctx, row.version, { steps: keepParsed(Steps, row.steps), hosts });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

type FoundVersion = { id: string; manifest: string };

async function storeFindings(
  tx: Tx,
  ctx: Ctx,
  version: FoundVersion,
  report: AnalysisReport,
  steps: readonly AnalysisStep[],
): Promise<number> {
  const placeOf = (index: number) => {
    const step = steps[index];
    return { path: step?.path ?? "", line: step?.kind === "command" ? step.line : 1 };
  };
  const differences = findDifferences(await readDeclared({ db: tx }, version), report, placeOf);
  const ofDryRuns = { versionId: version.id, rule: { startsWith: DRY_RUN_RULES } };
  const before = await tx.finding.findMany({ where: ofDryRuns, select: { fingerprint: true } });
  const known = new Set(before.map(({ fingerprint }) => fingerprint));
  const found = differences.map(({ rule, severity, path, line, what, key, why }, index) => ({
    ...{ versionId: version.id, fingerprint: sha256Hex(`${rule}\n${path}\n${key}`), rule, ruleVersion: RULE_VERSION },
    ...{ position: FIRST_POSITION + before.length + index, severity, raisedBy: null },
    ...{ path, line, column: 1, endLine: null },
    ...{ text: what, why, view: "dry run", more: 0, firstSeenAt: ctx.now() },
  }));
  await tx.finding.createMany({ data: found.filter(({ fingerprint }) => !known.has(fingerprint)) });
  return differences.length;
}
