import { recordEvent } from "@/lib/audit/record-event";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { findEdge } from "../edges/find-edge";
import { checkSchedule } from "./check-schedule";
import { readSchedule } from "./get-schedule";
import { requireNextTime } from "./next-times";
import type { CreateScheduleInput, Schedule } from "./schema";

const MOST = 100;

/**
 * Has a skill run at times, as the caller. What the gate would refuse the caller now is refused here; for a skill that
 * changes things the caller confirms once (`confirmation_required`). `invalid` names the wrong place of the cron
 * expression, the time zone or the arguments; `conflict` beyond 100 schedules of one person.
 */
export async function createSchedule(ctx: Ctx, input: CreateScheduleInput): Promise<Schedule> {
  const actor = requireScope(ctx.actor, "run");
  const { name, cron, timeZone, overlap, catchUp, enabled, args } = input;
  const nextAt = requireNextTime(input, ctx.now());
  return inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.schedule.count({ where: { ownerId: actor.userId } })) >= MOST) {
      throw new AppError("conflict", `You have ${MOST} schedules, which is the most one person may have.`);
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

/** By what its runs are asked for: the token of who made or changed it last, else the person. */
export function credentialOf(actor: PersonActor) {
  const isToken = actor.kind === "token";
  return {
    tokenId: isToken ? actor.tokenId : null,
    tokenName: isToken ? actor.tokenName : null,
    personaId: isToken ? actor.personaId : null,
  };
}
