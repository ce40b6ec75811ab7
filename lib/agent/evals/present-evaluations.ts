import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { EvalResult, EvalRun } from "@/lib/db/generated/client";
import { PlaygroundLimits } from "../playground/schema";
import { mayEvaluate } from "./may-evaluate";
import { type EvalFigures, type Evaluation, EvaluationState } from "./schema";

/** Longer than an answer and its judgement can take: what stored nothing for so long was cut off with its process. */
const CUT_OFF_MS = 15 * 60 * 1000;

type Measured = Pick<EvalResult, "withSkill" | "passed" | "tokens" | "steps" | "durationMs">;
export type EvaluationRow = EvalRun & { results: Measured[] };
type OfSkill = { id: string; name: string; ownerKey: string };

/** Evaluations of one skill with the figures of what was answered so far. */
export function presentEvaluations(ctx: Ctx, rows: EvaluationRow[], skill: OfSkill): Evaluation[] {
  const may = mayEvaluate(ctx.actor, skill);
  return rows.map((row) => {
    const wasCutOff = isCutOff(ctx, row);
    const state = wasCutOff ? "failed" : EvaluationState.parse(row.state);
    return {
      id: row.id,
      skill: { id: skill.id, name: skill.name },
      versionDigest: row.versionDigest,
      versionNumber: row.versionNumber,
      endpointName: row.endpointName,
      model: row.model,
      limits: parseJsonColumn(PlaygroundLimits, row.limits),
      state,
      error: wasCutOff ? "The server ended before the work was done; evaluate again." : row.error,
      cases: row.cases,
      withSkill: figuresOf(row.results.filter((result) => result.withSkill)),
      withoutSkill: figuresOf(row.results.filter((result) => !result.withSkill)),
      createdBy: row.createdByName,
      createdAt: row.createdAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
      mayCancel: may && state === "running",
    };
  });
}

export function isCutOff({ now }: Pick<Ctx, "now">, row: Pick<EvalRun, "state" | "updatedAt">): boolean {
  return row.state === "running" && now().getTime() - row.updatedAt.getTime() > CUT_OFF_MS;
}

function figuresOf(results: Measured[]): EvalFigures {
  const times = results.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return {
    answers: results.length,
    passed: results.filter(({ passed }) => passed).length,
    tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
  };
}
