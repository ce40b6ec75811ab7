import { recordEvent } from "@/lib/audit/record-event";
import { canonicalJson, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Schedule as ScheduleRow } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { findEdge } from "../edges/find-edge";
import { checkSchedule } from "./check-schedule";
import { credentialOf } from "./create-schedule";
import { readSchedule } from "./get-schedule";
import { requireNextTime } from "./next-times";
import { mayChange, mayStop, notYours, requireSchedule } from "./schedule-access";
import type { Schedule, UpdateScheduleInput } from "./schema";

/**
 * Changes a schedule, pauses it or switches it on. Its runs are asked for by who changed it last. Other arguments, another
 * worker or another credential have to be confirmed anew where runs change things. An admin may switch off anybody's.
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
