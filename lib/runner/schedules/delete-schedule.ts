import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { mayStop, notYours, requireSchedule } from "./schedule-access";

/** Deletes a schedule, as its owner or an admin. Its runs stay, and one that is under way goes on. */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<void> {
  const actor = requireScope(ctx.actor, "run");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSchedule(txCtx, id);
    if (!mayStop(actor, row)) throw notYours(row);
    await tx.schedule.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "schedule.delete",
      summary: `deleted the schedule “${row.name}”`,
      target: { kind: "schedule", id, name: row.name },
      concerns: row.ownerId,
      skillId: row.skillId,
    });
  });
}
