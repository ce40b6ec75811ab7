import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { EvalResult } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { requireSkill } from "@/lib/skills/skill-access";
import { EndReason } from "../playground/schema";
import { assertMayEvaluate } from "./may-evaluate";
import { presentEvaluations } from "./present-evaluations";
import { CheckOutcome, type EvalAnswer, type EvaluationDetail } from "./schema";

const Checks = z.array(CheckOutcome);

/** An evaluation of a skill that the caller manages or reviews, with both answers to each case. Others are `not_found`. */
export async function getEvaluation(ctx: Ctx, id: string): Promise<EvaluationDetail> {
  requireScope(ctx.actor, "read");
  const { row, skill } = await requireEvaluation(ctx, id);
  const [evaluation] = presentEvaluations(ctx, [row], skill);
  if (!evaluation) throw new Error("an evaluation was read and not presented");
  const cases = [...new Set(row.results.map(({ seq }) => seq))].sort((a, b) => a - b);
  return {
    ...evaluation,
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

/** The row, and its skill; `not_found` when the caller does not see the skill, `forbidden` when they do not evaluate it. */
export async function requireEvaluation(ctx: Ctx, id: string) {
  const row = await ctx.db.evalRun.findUnique({ where: { id }, include: { results: true } });
  if (row === null) throw new AppError("not_found", `There is no evaluation ${id.slice(0, 64)} that you can see.`);
  const skill = await requireSkill(ctx, row.skillId);
  assertMayEvaluate(ctx.actor, skill);
  return { row, skill };
}

function presentAnswer(result: EvalResult | undefined): EvalAnswer | null {
  if (!result) return null;
  const { answer, passed, problem, steps, tokens, durationMs, sessionId } = result;
  const checks = parseJsonColumn(Checks, result.checks);
  const reason = EndReason.parse(result.reason);
  return { answer, passed, checks, reason, problem, steps, tokens, durationMs, sessionId };
}
