import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Analysis as AnalysisRow, Prisma } from "@/lib/db/generated/client";
import { BLIND_SPOTS, HOSTILE_MARKS } from "@/lib/policy/analysis/schema";
import { requireScope } from "@/lib/policy/require-scope";
import { requireVersion } from "@/lib/skills/version-access";
import { planAgent, planVersion } from "./plan-version";
import { presentAnalysis, presentWith } from "./present-analysis";
import { readDeclared } from "./read-declared";
import { listAnalysts } from "./request-analysis";
import type { Analysis, AnalysisList, ExportedAnalysis } from "./schema";

const NEWEST = 5;

type Place = { id: string; digest: string };

/** The newest analyses of a version and the newest with a hostile act, what a new one would execute, and which workers can. For reviewers and admins. */
export async function listAnalyses(ctx: Ctx, place: Place): Promise<AnalysisList> {
  requireScope(ctx.actor, "review");
  const { version } = await requireVersion(ctx, place.id, place.digest);
  const rows = await findListed(ctx, { versionId: version.id });
  const declared = await readDeclared(ctx, version);
  return {
    items: rows.map((row) => presentWith(declared, row)),
    nextCursor: null,
    plan: { ...(await planVersion(ctx, version)), agent: await planAgent(ctx, version) },
    workers: await listAnalysts(ctx),
    blindSpots: [...BLIND_SPOTS],
  };
}

/** Newest first. Later dry runs, which may execute less, do not displace a hostile act. */
async function findListed({ db }: Pick<Ctx, "db">, where: Prisma.AnalysisWhereInput): Promise<AnalysisRow[]> {
  const newest = (more: Prisma.AnalysisWhereInput) =>
    db.analysis.findMany({ where: { ...where, ...more }, orderBy: { id: "desc" }, take: NEWEST });
  const rows = [
    ...(await newest({})),
    ...(await newest({ OR: HOSTILE_MARKS.map((contains) => ({ report: { contains } })) })),
  ];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** One analysis of a version, with its report when it has finished. For reviewers and admins. */
export async function getAnalysis(ctx: Ctx, place: Place & { analysisId: string }): Promise<Analysis> {
  requireScope(ctx.actor, "review");
  const { version } = await requireVersion(ctx, place.id, place.digest);
  const row = await ctx.db.analysis.findFirst({ where: { id: place.analysisId, versionId: version.id } });
  if (!row) throw new AppError("not_found", `Version ${version.digest.slice(0, 7)} has no such analysis.`);
  return presentAnalysis(ctx, version, row);
}

/** The newest finished analyses of these exact bytes, and the newest with a hostile act, oldest first, for the export of an approval. */
export async function exportAnalyses(ctx: Pick<Ctx, "db">, versionId: string): Promise<ExportedAnalysis[]> {
  const rows = await findListed(ctx, { versionId, state: "finished" });
  return rows.reverse().map((row) => ({
    ...{ id: row.id, requestedBy: row.requestedByName, worker: row.workerName ?? "" },
    finishedAt: (row.finishedAt ?? row.createdAt).toISOString(),
    ...{ reportDigest: row.reportDigest ?? "", reportJson: row.report ?? "" },
  }));
}
