import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { recordEvent } from "../record-event";
import { requireOwnView } from "./view-access";

/** Deletes a view of one's own. */
export async function deleteView(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const { name } = await requireOwnView(ctx, tx, id);
    await tx.savedView.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "saved_view.delete",
      summary: `deleted the view “${name}” of the audit`,
      target: { kind: "saved_view", id, name },
    });
  });
}
