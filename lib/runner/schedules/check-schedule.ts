import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireApproved } from "@/lib/review/run-approval";
import { findNamedSkill } from "@/lib/skills/skill-access";
import { startRun } from "../runs/start-run";

type Planned = {
  name: string;
  skill: string;
  args: Record<string, unknown>;
  workerId: string | null;
  /** What its owner confirmed earlier, for exactly these arguments. */
  confirmedSubject: string | null;
  confirm: boolean;
};

/**
 * Asks the gate about the runs of a schedule, as the caller, without starting one. Answers the skill and, where the caller
 * confirmed that its runs change things, the subject of the approval that this covers. Errors as `startRun` has them.
 */
export async function checkSchedule(
  ctx: Ctx,
  { name, skill: idOrName, args, workerId, confirmedSubject, confirm }: Planned,
): Promise<{ skillId: string; skillName: string; confirmedSubject: string | null }> {
  const skill = await findNamedSkill(ctx, idOrName);
  const answer = await startRun(
    ctx,
    skill.id,
    { args, wait: 0, dryRun: true, ...(workerId === null ? {} : { workerId }), ...(confirm ? { confirm: true } : {}) },
    { id: "", name, confirmedSubject },
  );
  if (!("dryRun" in answer)) throw new Error("asked for a dry run, and got a run");
  const { outcome, rule, reason } = answer.dryRun;
  if (outcome === "confirm") {
    const detail = `“${skill.name}” changes things. Send confirm: true to confirm all runs of this schedule.`;
    throw new AppError("confirmation_required", detail, { rule });
  }
  // A worker that is away now may be back when it is due, and an operator may have allowed it until then.
  const isOfWorkers = rule === "no_isolation" || rule === "worker_does_not_allow";
  if (outcome === "refuse" && !isOfWorkers) throw new AppError("forbidden", reason, { rule });
  const { subject } = await requireApproved(ctx, skill);
  return { skillId: skill.id, skillName: skill.name, confirmedSubject: confirm ? subject : confirmedSubject };
}
