import { z } from "zod";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Analysis as AnalysisRow } from "@/lib/db/generated/client";
import { compareDeclared, type Declared, expectedSends, usedGrants } from "@/lib/policy/analysis/compare-declared";
import { AnalysisReport, AnalysisStep } from "@/lib/policy/analysis/schema";
import { readDeclared } from "./read-declared";
import type { Analysis } from "./schema";

const Steps = z.array(AnalysisStep);

/** An analysis with its report compared with what its version declares. */
export async function presentAnalysis(
  ctx: Pick<Ctx, "db">,
  version: { id: string; manifest: string },
  row: AnalysisRow,
): Promise<Analysis> {
  return presentWith(await readDeclared(ctx, version), row);
}

/** Like `presentAnalysis`, for several rows of one version. */
export function presentWith(declared: Declared, row: AnalysisRow): Analysis {
  return {
    id: row.id,
    versionDigest: row.digest,
    requestedBy: { id: row.requestedById, name: row.requestedByName },
    createdAt: row.createdAt.toISOString(),
    steps: keepParsed(Steps, row.steps),
    stepSeconds: row.stepSeconds,
    state: stateOf(row, declared),
  };
}

function stateOf(row: AnalysisRow, declared: Declared): Analysis["state"] {
  const { state, workerId, workerName, startedAt, finishedAt, report, reportDigest, failure } = row;
  const worker = { id: workerId ?? "", name: workerName ?? "" };
  if (state === "finished" && report !== null && startedAt && finishedAt && reportDigest !== null) {
    const parsed = parseJsonColumn(AnalysisReport, report);
    return {
      ...{ kind: "finished", worker, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() },
      ...{ report: parsed, reportDigest, compared: compareDeclared(declared, parsed) },
      used: usedGrants(declared, parsed),
      expected: [...expectedSends(declared, parsed).keys()],
    };
  }
  if (state === "running" && startedAt) return { kind: "running", worker, startedAt: startedAt.toISOString() };
  if (state === "queued") return { kind: "queued" };
  return {
    kind: "failed",
    finishedAt: (finishedAt ?? row.createdAt).toISOString(),
    reason: failure ?? "No reason was recorded.",
  };
}
