import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import type { Actor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { processStore } from "@/lib/core/process-store";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { EvalResult, EvalRun } from "@/lib/db/generated/client";
import { hasScope, requirePerson, requireScope, seesAll } from "@/lib/policy/require-scope";
import { canManage, requireSkill, type SkillRow } from "@/lib/skills/skill-access";
import { EvalAnswer, type EvalFigures, Evaluation, type EvaluationDetail } from "./schema";

/** An evaluation with both answers to each case, for callers who manage or review the skill; else `not_found`. */
export async function getEvaluation(ctx: Ctx, id: string): Promise<EvaluationDetail> {
  requireScope(ctx.actor, "read");
  const { row, skill } = await requireEvaluation(ctx, id);
  const cases = [...new Set(row.results.map(({ seq }) => seq))].sort((a, b) => a - b);
  return {
    ...presentEvaluation(ctx, row, skill),
    results: cases.flatMap((seq) => {
      const sides = row.results.filter((result) => result.seq === seq);
      const [first] = sides;
      if (!first) return [];
      const { caseId, prompt, expected } = first;
      const side = (withSkill: boolean) => presentAnswer(sides.find((result) => result.withSkill === withSkill));
      return { caseId, prompt, expected, withSkill: side(true), withoutSkill: side(false) };
    }),
  };
}

/** The row with its skill; `not_found` when the caller cannot see the skill, `forbidden` when they may not evaluate it. */
export async function requireEvaluation(ctx: Ctx, id: string) {
  const row = await ctx.db.evalRun.findUnique({ where: { id }, include: { results: true } });
  if (row === null) throw new AppError("not_found", `There is no evaluation ${id.slice(0, 64)} that you can see.`);
  const skill = await requireSkill(ctx, row.skillId);
  assertMayEvaluate(ctx.actor, skill);
  return { row, skill };
}

function presentAnswer(result: EvalResult | undefined): EvalAnswer | null {
  if (!result) return null;
  return EvalAnswer.parse({ ...result, checks: JSON.parse(result.checks) });
}

/** Evaluations of a skill with their figures, newest first, for all who see the skill. */
export async function listEvaluations(ctx: Ctx, idOrName: string, query: PageQuery): Promise<Page<Evaluation>> {
  requireScope(ctx.actor, "read");
  const skill = await requireSkill(ctx, idOrName);
  const before = query.cursor === undefined ? null : decodeCursor(z.string(), query.cursor);
  const rows = await ctx.db.evalRun.findMany({
    where: { skillId: skill.id, ...(before === null ? {} : { id: { lt: before } }) },
    include: { results: { select: { withSkill: true, passed: true, tokens: true, steps: true, durationMs: true } } },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const { items, nextCursor } = toPage(rows, query.limit, ({ id }) => id);
  return { items: items.map((row) => presentEvaluation(ctx, row, skill)), nextCursor };
}

/** Longer than an answer with its judgement can take: an evaluation without progress for so long was interrupted. */
const CUT_OFF_MS = 15 * 60 * 1000;

type Measured = Pick<EvalResult, "withSkill" | "passed" | "tokens" | "steps" | "durationMs">;
export type EvaluationRow = EvalRun & { results: Measured[] };
type OfSkill = { id: string; name: string; ownerKey: string };

/** An evaluation with the figures of its answers so far. */
export function presentEvaluation(ctx: Ctx, row: EvaluationRow, skill: OfSkill): Evaluation {
  const wasCutOff = isCutOff(ctx, row);
  const state = wasCutOff ? "failed" : row.state;
  return Evaluation.parse({
    ...row,
    skill,
    limits: JSON.parse(row.limits),
    state,
    error: wasCutOff ? "The server stopped before the evaluation was finished. Start it again." : row.error,
    withSkill: figuresOf(row.results.filter((result) => result.withSkill)),
    withoutSkill: figuresOf(row.results.filter((result) => !result.withSkill)),
    createdBy: row.createdByName,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    mayCancel: mayEvaluate(ctx.actor, skill) && state === "running",
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

/** Whether a person may start, stop and read evaluations of a skill: its managers and reviewers. */
export function mayEvaluate(actor: Actor, skill: { ownerKey: string }): boolean {
  const person = requirePerson(actor);
  return hasScope(person, "run") && (seesAll(person) || canManage(person, skill));
}

/** Throws `forbidden` for others: an evaluation costs many answers of a model, and answers may contain results of runs. */
export function assertMayEvaluate(actor: Actor, skill: { ownerKey: string; name: string }): void {
  if (mayEvaluate(actor, skill)) return;
  const message = `Only reviewers and people who manage “${skill.name}” may evaluate it.`;
  throw new AppError("forbidden", message, { rule: "evaluate" });
}

export function aboutEvaluation(id: string, skill: Pick<SkillRow, "id" | "name" | "ownerId">) {
  return { concerns: skill.ownerId, target: { kind: "evaluation", id, name: skill.name }, skillId: skill.id };
}

export function runningEvaluations(): Map<string, AbortController> {
  return processStore("evaluations", () => new Map<string, AbortController>());
}

/** Cancels a running evaluation and its pending answers; stored answers stay. `conflict` when it has ended. */
export async function cancelEvaluation(ctx: Ctx, id: string): Promise<EvaluationDetail> {
  requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { row, skill } = await requireEvaluation(txCtx, id);
    const at = ctx.now();
    const { count } = await tx.evalRun.updateMany({
      where: { id, state: "running" },
      data: { state: "cancelled", finishedAt: at, updatedAt: at },
    });
    if (count === 0) throw new AppError("conflict", "This evaluation has ended already.");
    await recordEvent(tx, txCtx, {
      action: "evaluation.cancel",
      ...aboutEvaluation(id, skill),
      summary: `stopped the evaluation of ${skill.name}`,
      versionDigest: row.versionDigest,
      data: { answers: row.results.length },
    });
  });
  // An evaluation in another process notices this when it stores its next answer.
  runningEvaluations().get(id)?.abort();
  return getEvaluation(ctx, id);
}
