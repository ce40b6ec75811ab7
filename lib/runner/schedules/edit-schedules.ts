import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { canonicalJson, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { requireApproved } from "@/lib/review/run-approval";
import { JsonObject } from "@/lib/skill-format/schema";
import { findNamedSkill } from "@/lib/skills/skill-access";
import { findEdge } from "../edges";
import { startRun } from "../runs/start-run";
import { requireNextTime } from "./next-times";
import { mayChange, mayStop, notYours, readSchedule, requireSchedule } from "./schedules";
import type { CreateScheduleInput, Schedule, UpdateScheduleInput } from "./schema";

const MOST = 100;

/**
 * Schedules runs of a skill, as the caller. Runs that the policy would refuse now are refused here; for a mutating skill
 * the caller confirms once (`confirmation_required`). `invalid` names the wrong part of the cron expression, the time zone
 * or the arguments; `conflict` beyond 100 schedules of one person.
 */
export async function createSchedule(ctx: Ctx, input: CreateScheduleInput): Promise<Schedule> {
  const actor = requireScope(ctx.actor, "run");
  const { name, cron, timeZone, overlap, catchUp, enabled, args } = input;
  const nextAt = requireNextTime(input, ctx.now());
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.schedule.count({ where: { ownerId: actor.userId } })) >= MOST) {
      throw new AppError("conflict", `You have ${MOST} schedules, which is the limit for one person.`);
    }
    const workerId = input.workerId === null ? null : (await findEdge(txCtx, input.workerId)).id;
    const confirm = input.confirm === true;
    const checked = await checkSchedule(txCtx, { ...input, workerId, confirm, confirmedSubject: null });
    const at = ctx.now();
    const id = newId();
    await tx.schedule.create({
      data: {
        ...{ id, name, cron, timeZone, overlap, catchUp, enabled, workerId },
        skillId: checked.skillId,
        args: JSON.stringify(args),
        createdById: actor.userId,
        ownerId: actor.userId,
        ownerName: actor.name,
        ...credentialOf(actor),
        confirmedSubject: checked.confirmedSubject,
        confirmedAt: confirm ? at : null,
        nextAt: enabled ? nextAt : null,
        createdAt: at,
        updatedAt: at,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "schedule.create",
      summary: `scheduled ${checked.skillName} as “${name}”${confirm ? " and confirmed its runs" : ""}`,
      target: { kind: "schedule", id, name },
      skillId: checked.skillId,
      data: { cron, timeZone, overlap, catchUp, workerId, args, confirmedSubject: checked.confirmedSubject },
    });
    return readSchedule(txCtx, id);
  });
}

function credentialOf(actor: PersonActor) {
  const isToken = actor.kind === "token";
  return {
    tokenId: isToken ? actor.tokenId : null,
    tokenName: isToken ? actor.tokenName : null,
    personaId: isToken ? actor.personaId : null,
  };
}

/**
 * Changes a schedule, pauses it or switches it on. Its runs use the rights of the person who changed it last. For mutating
 * skills, other arguments, another worker or another credential must be confirmed again. An admin may switch off every
 * schedule.
 */
export async function updateSchedule(ctx: Ctx, id: string, input: UpdateScheduleInput): Promise<Schedule> {
  const actor = requireScope(ctx.actor, "run");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSchedule(txCtx, id);
    const isPause = input.enabled === false && Object.keys(input).length === 1;
    if (!mayChange(actor, row) && !(isPause && mayStop(actor, row))) throw notYours(row);
    const data = isPause ? pause() : await changed(txCtx, row, input);
    await tx.schedule.update({ where: { id }, data: { ...data, updatedAt: ctx.now() } });
    const confirmed = input.confirm === true ? ", and confirmed its runs" : "";
    const verb = input.enabled === undefined ? "changed" : input.enabled ? "switched on" : "paused";
    await recordEvent(tx, txCtx, {
      action: "schedule.update",
      summary: `${verb} the schedule “${row.name}”${confirmed}`,
      target: { kind: "schedule", id, name: row.name },
      concerns: row.ownerId,
      skillId: row.skillId,
      data: { ...input },
    });
    return readSchedule(txCtx, id);
  });
}

function pause() {
  return { enabled: false, nextAt: null, heldAt: null, stopReason: null };
}

async function changed(ctx: Ctx, row: ScheduleRow, input: UpdateScheduleInput) {
  const actor = requireScope(ctx.actor, "run");
  const { name = row.name, overlap = row.overlap, catchUp = row.catchUp, enabled = row.enabled } = input;
  const times = { cron: input.cron ?? row.cron, timeZone: input.timeZone ?? row.timeZone };
  const nextAt = requireNextTime(times, ctx.now());
  const isSameTime = times.cron === row.cron && times.timeZone === row.timeZone && row.enabled;
  const args = input.args ?? parseJsonColumn(JsonObject, row.args);
  const workerId = await settleWorker(ctx, row, input);
  const credential = credentialOf(actor);
  const isSameRun =
    canonicalJson(args) === canonicalJson(JSON.parse(row.args)) &&
    workerId === row.workerId &&
    credential.personaId === row.personaId;
  const confirm = input.confirm === true;
  const confirmedSubject = isSameRun ? row.confirmedSubject : null;
  const asked = { name, skill: row.skillId, args, workerId, confirmedSubject, confirm };
  const isOnlyOff = input.enabled === false && isSameRun && !confirm;
  const checked = isOnlyOff ? { confirmedSubject } : await checkSchedule(ctx, asked);
  return {
    ...{ name, overlap, catchUp, enabled, ...times, ...credential },
    args: JSON.stringify(args),
    workerId,
    ownerName: actor.name,
    confirmedSubject: checked.confirmedSubject,
    confirmedAt: confirm ? ctx.now() : row.confirmedAt,
    ...(enabled ? { stopReason: null, nextAt: isSameTime ? row.nextAt : nextAt } : pause()),
  };
}

async function settleWorker(ctx: Ctx, row: ScheduleRow, { workerId }: UpdateScheduleInput): Promise<string | null> {
  if (workerId === undefined) return row.workerId;
  return workerId === null ? null : (await findEdge(ctx, workerId)).id;
}

type Planned = {
  name: string;
  skill: string;
  args: Record<string, unknown>;
  workerId: string | null;
  /** What its owner confirmed earlier, for exactly these arguments. */
  confirmedSubject: string | null;
  confirm: boolean;
};

/** Checks the policy for the runs of a schedule, without starting one. Errors as in `startRun`. */
async function checkSchedule(
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
  // Until it is due, an offline worker may be back, and an operator may have allowed the run.
  const isOfWorkers = rule === "no_isolation" || rule === "worker_does_not_allow";
  if (outcome === "refuse" && !isOfWorkers) throw new AppError("forbidden", reason, { rule });
  const { subject } = await requireApproved(ctx, skill);
  return { skillId: skill.id, skillName: skill.name, confirmedSubject: confirm ? subject : confirmedSubject };
}
