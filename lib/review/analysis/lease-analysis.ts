import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { keepParsed } from "@/lib/core/json";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { AGENT_SECONDS, AnalysisStep } from "@/lib/policy/analysis/schema";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { requireWorker } from "@/lib/policy/require-scope";
import { aboutSkill } from "@/lib/skills/about-skill";
import { readVerifiedBytes } from "@/lib/skills/versions/read-blob";
import type { AnalysisLease, HeldAnalyses } from "@/lib/worker/protocol";
import { failAnalysis, STILL_WANTED } from "./finish-analysis";
import { readDeclared } from "./read-declared";

const Steps = z.array(AnalysisStep);

/** How long a dry run waits for the first scan of its version. */
const SCAN_MS = 10 * 60_000;

/** Beyond the limits of its steps: to fetch the files, start the recorder and report. */
const SPARE_SECONDS = 120;

/**
 * Leases a waiting analysis to this worker, those that people requested first and each person in turn; null when there is none, or when the worker cannot analyse. Ends
 * analyses that this worker held before, because it executes one at a time, and those of workers that are gone.
 */
export async function leaseAnalysis(ctx: Ctx): Promise<AnalysisLease | null> {
  const worker = requireWorker(ctx.actor);
  const row = await ctx.db.worker.findUnique({ where: { id: worker.workerId }, select: { offers: true } });
  if (keepParsed(WorkerOffers, row?.offers ?? "{}").analysis?.kind !== "available") return null;
  const lost = { state: "running", OR: [{ workerId: worker.workerId }, { leaseUntil: { lt: ctx.now() } }] };
  const waiting = await ctx.db.analysis.findFirst({ where: { OR: [{ state: "queued" }, lost] }, select: { id: true } });
  if (waiting === null) return null;
  return inTransaction(ctx, async (tx, txCtx) => {
    for (const { id } of await tx.analysis.findMany({ where: lost, select: { id: true } }))
      await failAnalysis(tx, txCtx, id, "The worker was lost before it had reported. Start the analysis again.");
    const unwanted = { state: "queued", NOT: { version: STILL_WANTED } };
    for (const { id } of await tx.analysis.findMany({ where: unwanted, select: { id: true } }))
      await failAnalysis(tx, txCtx, id, "The skill was deleted before the dry run began.");
    return leaseOldest(tx, txCtx, { id: worker.workerId, name: worker.name });
  });
}

async function leaseOldest(tx: Tx, ctx: Ctx, worker: { id: string; name: string }): Promise<AnalysisLease | null> {
  // What a version declares is compared with the report, and only a scan tells all of it. Others go first meanwhile.
  const known = [
    { version: { scan: { isNot: null } } },
    { createdAt: { lt: new Date(ctx.now().getTime() - SCAN_MS) } },
  ];
  const ready = { state: "queued", OR: known, version: STILL_WANTED };
  const waiting = await tx.analysis.findMany({
    where: ready,
    select: { id: true, requestedById: true },
    orderBy: { createdAt: "asc" },
  });
  const next = await findNext(tx, waiting);
  if (next === null) return null;
  const found = await tx.analysis.findUniqueOrThrow({
    where: { id: next.id },
    include: { version: { include: { skill: true, files: true } } },
  });
  const { version } = found;
  const steps = keepParsed(Steps, found.steps);
  const fence = found.fence + 1;
  // In up to three worlds, and as long again for all comparisons.
  const secondsOf = ({ kind }: AnalysisStep) => (kind === "agent" ? AGENT_SECONDS : 6 * found.stepSeconds) + 20;
  const seconds = steps.reduce((sum, step) => sum + secondsOf(step), SPARE_SECONDS);
  const taken = await tx.analysis.updateMany({
    where: { id: found.id, state: "queued", fence: found.fence },
    data: {
      ...{ state: "running", fence, workerId: worker.id, workerName: worker.name, startedAt: ctx.now() },
      leaseUntil: new Date(ctx.now().getTime() + seconds * 1000),
    },
  });
  if (taken.count === 0) return null;
  await recordEvent(tx, ctx, {
    action: "analysis.started",
    summary: `began a dry run of ${version.skill.name} ${found.digest.slice(0, 7)}`,
    ...aboutSkill(version.skill),
    versionDigest: found.digest,
    device: worker.name,
    data: { analysisId: found.id, fence },
  });
  const declared = await readDeclared({ db: tx }, version);
  const wanted = (names: string[]) => [...new Set(names)].slice(0, 100);
  return {
    ...{ analysisId: found.id, fence, versionDigest: found.digest, steps, stepSeconds: found.stepSeconds },
    files: version.files.map(({ path, mode, sha256, size }) => ({
      ...{ path, mode: mode === "755" ? ("755" as const) : ("644" as const), sha256, size },
    })),
    wanted: {
      env: wanted([...(declared.grants.env ?? []), ...declared.named.env]),
      paths: wanted(declared.named.paths),
    },
  };
}

type Waiting = { id: string; requestedById: string | null };

/** People take turns: next is the oldest of the person whose last one began first. The server's own wait for all of them. */
async function findNext(tx: Tx, waiting: readonly Waiting[]): Promise<Waiting | null> {
  const people = [...new Set(waiting.flatMap(({ requestedById }) => requestedById ?? []))];
  const turns = await tx.analysis.groupBy({
    by: ["requestedById"],
    where: { requestedById: { in: people }, startedAt: { not: null } },
    _max: { startedAt: true },
  });
  const last = new Map(turns.map(({ requestedById, _max }) => [requestedById, _max.startedAt?.getTime() ?? 0]));
  const turnOf = ({ requestedById }: Waiting) =>
    requestedById === null ? Number.POSITIVE_INFINITY : (last.get(requestedById) ?? 0);
  return waiting.reduce<Waiting | null>(
    (best, row) => (best === null || turnOf(row) < turnOf(best) ? row : best),
    null,
  );
}

/** The analyses that this worker holds; it asks while it executes one, because a person may have cancelled it or deleted the skill. */
export async function listHeldAnalyses(ctx: Ctx): Promise<HeldAnalyses["analyses"]> {
  const { workerId } = requireWorker(ctx.actor);
  const rows = await ctx.db.analysis.findMany({
    where: { workerId, state: "running", version: STILL_WANTED },
    select: { id: true, fence: true },
  });
  return rows.map(({ id, fence }) => ({ analysisId: id, fence }));
}

/** The agent step that this worker executes now, with its version. Throws `not_found` when it holds no such lease. */
export async function requireAgentStep(ctx: Ctx, analysisId: string, asked: { fence: number; step: number }) {
  const worker = requireWorker(ctx.actor);
  const row = await ctx.db.analysis.findFirst({
    where: { id: analysisId, workerId: worker.workerId, state: "running", fence: asked.fence },
    include: { version: { include: { files: true } } },
  });
  const step = row === null ? undefined : keepParsed(Steps, row.steps)[asked.step];
  if (row === null || step?.kind !== "agent" || (row.leaseUntil ?? ctx.now()) < ctx.now())
    throw new AppError("not_found", "This worker executes no such step of an agent.");
  return { step, version: row.version };
}

/** The bytes of a file of an analysis that this worker executes; else `not_found`. */
export async function readAnalysisBlob(
  ctx: Ctx,
  { analysisId, sha256 }: { analysisId: string; sha256: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const worker = requireWorker(ctx.actor);
  const leased = await ctx.db.analysis.findFirst({
    where: { id: analysisId, workerId: worker.workerId, state: "running", version: { files: { some: { sha256 } } } },
    select: { id: true },
  });
  const bytes = leased === null ? null : await readVerifiedBytes(ctx, sha256);
  if (bytes === null)
    throw new AppError("not_found", `No analysis that this worker executes has a file ${sha256.slice(0, 7)}.`);
  return bytes;
}
