import { recordEvent } from "@/lib/audit/record-event";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { answerCase, type Evaluating } from "./answer-case";
import { aboutEvaluation } from "./evaluations";
import type { EvalAnswer, EvalCase } from "./schema";

const PARALLEL = 2;
/** After this many errors of the model’s server in a row, the evaluation ends. */
const MAX_ERRORS = 3;

type Evaluation = Evaluating & { id: string; cases: EvalCase[]; abort(): void };
type Task = { seq: number; item: EvalCase; withSkill: boolean };

/** Answers all cases with and without the skill, two at once, and stores each answer. Stops when its row is not `running`. */
export async function runEvaluation(ctx: Ctx, work: Evaluation): Promise<void> {
  const tasks = work.cases.flatMap((item, seq) => [true, false].map((withSkill): Task => ({ seq, item, withSkill })));
  let errors = 0;
  let problem: string | null = null;
  const takeTasks = async () => {
    for (let task = tasks.shift(); task && !work.signal.aborted; task = tasks.shift()) {
      const answer = await answerCase(work, task.item, task.withSkill);
      if (work.signal.aborted) return;
      if (!(await storeAnswer(ctx, work.id, task, answer))) return work.abort();
      errors = answer.reason === "error" ? errors + 1 : 0;
      if (errors < MAX_ERRORS) continue;
      problem = answer.problem;
      return work.abort();
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, takeTasks));
    await endEvaluation(ctx, work, problem);
  } catch (error) {
    work.abort();
    logger.error({ err: error, evaluationId: work.id }, "an evaluation failed");
    await endEvaluation(ctx, work, "It failed inside the server. The server's log has the reason.");
  }
}

/** Returns false when the evaluation is no longer running. */
async function storeAnswer(ctx: Ctx, id: string, { seq, item, withSkill }: Task, answer: EvalAnswer): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const going = await tx.evalRun.updateMany({ where: { id, state: "running" }, data: { updatedAt: ctx.now() } });
    if (going.count === 0) return false;
    const { checks, ...said } = answer;
    await tx.evalResult.create({
      data: {
        ...{ evalRunId: id, seq, withSkill, caseId: item.id, prompt: item.prompt, expected: item.expected },
        ...said,
        checks: JSON.stringify(checks),
      },
    });
    return true;
  });
}

async function endEvaluation(ctx: Ctx, { id, tried: { skill } }: Evaluation, problem: string | null): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const ended = await tx.evalRun.updateMany({
      where: { id, state: "running" },
      data: { state: problem === null ? "done" : "failed", error: problem, finishedAt: at, updatedAt: at },
    });
    if (ended.count === 0) return; // Cancelled, which is recorded already.
    const passed = { evalRunId: id, passed: true };
    const withSkill = await tx.evalResult.count({ where: { ...passed, withSkill: true } });
    const withoutSkill = await tx.evalResult.count({ where: { ...passed, withSkill: false } });
    await recordEvent(tx, txCtx, {
      action: "evaluation.finish",
      ...aboutEvaluation(id, skill),
      outcome: problem === null ? "ok" : "failed",
      summary: `${problem === null ? "evaluated" : "could not evaluate"} ${skill.name}`,
      data: { passedWith: withSkill, passedWithout: withoutSkill, error: problem },
    });
  });
}
